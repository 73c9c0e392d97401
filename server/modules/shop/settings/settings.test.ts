import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { digestDatabase } from "../../../testing/database-digest.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";

let till: TestGateway;
let owner: TestTill;
beforeEach(async () => {
  till = await startTestGateway();
  owner = await openTill(till);
});
afterEach(() => till.close());

const FRESH = {
  lookupEnabled: true,
  idleLockMinutes: 0,
  keepNumbersDays: 0,
  timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
  cashStep: 0,
  confirmNumber: "NEVER",
  dayStartsAt: 0,
  receipt: { address: [] as string[], support: [] as string[] },
  environments: { test: { queueEnabled: true }, live: { queueEnabled: true } },
};
const RECEIPT = { address: [" 12 Calle 4-56 "], support: ["Ayuda: 2222 3333", "مساعدة"] };
const LOOKUP = "/tools/phonenumberlookup/+50231234567";

async function trail() {
  const rows = await till.gateway.context.db
    .selectFrom("audit_trail")
    .select(["staff_id", "subject", "detail_json"])
    .where("action", "=", "settings.change")
    .orderBy("entry_id")
    .execute();
  return rows.map(({ staff_id, subject, detail_json }) => ({
    staffId: staff_id,
    subject,
    detail: JSON.parse(detail_json) as object,
  }));
}

describe("an owner of a new shop", () => {
  it("finds every setting switched on", async () => {
    expect((await owner.pos("GET", "/settings")).body).toEqual(FRESH);
  });

  it("switches off the phone lookup for every key at once", async () => {
    const changed = await owner.pos("PUT", "/settings", { ...FRESH, lookupEnabled: false });
    expect([changed.status, changed.body]).toEqual([200, { ...FRESH, lookupEnabled: false }]);
    for (const environment of ["test", "live"] as const) {
      const answer = await till.v1("GET", LOOKUP, undefined, environment);
      expect(answer.body.errorCode).toBe("LOOKUP_NOT_ENABLED");
    }
    await owner.pos("PUT", "/settings", FRESH);
    expect((await till.v1("GET", LOOKUP)).status).toBe(200);
  });

  it("switches the queue of one environment without affecting the other", async () => {
    const live = { queueEnabled: false };
    const wanted = { ...FRESH, environments: { ...FRESH.environments, live } };
    expect((await owner.pos("PUT", "/settings", wanted)).body).toEqual(wanted);
    await till.restart();
    expect((await owner.pos("GET", "/settings")).body).toEqual(wanted);
  });

  it("causes one audit entry for each changed setting, and none for unchanged settings", async () => {
    const off = { queueEnabled: false };
    await owner.pos("PUT", "/settings", {
      lookupEnabled: false,
      idleLockMinutes: 5,
      timeZone: "asia/tokyo",
      receipt: RECEIPT,
      environments: { test: off, live: off },
    });
    await owner.pos("PUT", "/settings", {
      lookupEnabled: false,
      idleLockMinutes: 5,
      timeZone: "asia/tokyo",
      receipt: RECEIPT,
      environments: { test: off, live: off },
    });
    const staffId = owner.staffId;
    expect(await trail()).toMatchObject([
      { staffId, subject: "default", detail: { lookupEnabled: false } },
      { staffId, subject: "default", detail: { idleLockMinutes: 5 } },
      { staffId, subject: "default", detail: { timeZone: "Asia/Tokyo" } },
      {
        staffId,
        subject: "default",
        detail: { receiptAddress: "12 Calle 4-56", receiptSupport: "Ayuda: 2222 3333 | مساعدة" },
      },
      { staffId, subject: "test", detail: { queueEnabled: false } },
      { staffId, subject: "live", detail: { queueEnabled: false } },
    ]);
  });
});

describe("staff other than the owner", () => {
  it("cannot read or change settings", async () => {
    const input = { name: "Carla", role: "clerk", pin: "1739" };
    const { staffId } = (await owner.pos("POST", "/staff", input)).body;
    const clerk = await owner.signIn(staffId, "1739");
    const before = await digestDatabase(till.gateway.context.db);
    const off = { ...FRESH, lookupEnabled: false };
    for (const [method, body] of [
      ["GET", undefined],
      ["PUT", off],
    ] as const) {
      const refused = await clerk.pos(method, "/settings", body);
      expect([refused.status, refused.body.errorCode]).toEqual([403, "FORBIDDEN"]);
      const stranger = await till.call(method, "/pos/settings", { body });
      expect([stranger.status, stranger.body.errorCode]).toEqual([401, "NOT_SIGNED_IN"]);
      const headers = { authorization: `Bearer ${till.key("live")}` };
      expect((await till.call(method, "/pos/settings", { body, headers })).status).toBe(401);
    }
    expect(await digestDatabase(till.gateway.context.db)).toEqual(before);
  });
});

describe("an invalid setting", () => {
  const { test, live } = FRESH.environments;
  it("changes nothing, and an error names the field", async () => {
    const cases: [string, unknown, string[]][] = [
      ["nothing", {}, ["environments", "idleLockMinutes", "lookupEnabled", "receipt", "timeZone"]],
      ["a lock of 121 minutes", { ...FRESH, idleLockMinutes: 121 }, ["idleLockMinutes"]],
      ["a lock of less than no time", { ...FRESH, idleLockMinutes: -1 }, ["idleLockMinutes"]],
      ["a step of cash below nothing", { ...FRESH, cashStep: -1 }, ["cashStep"]],
      ["a lock of half a minute", { ...FRESH, idleLockMinutes: 0.5 }, ["idleLockMinutes"]],
      ["a time zone that is none", { ...FRESH, timeZone: "Guatemala" }, ["timeZone"]],
      [
        "four lines of help",
        { ...FRESH, receipt: { address: [], support: ["a", "b", "c", "d"] } },
        ["receipt.support"],
      ],
      [
        "a line of 43 letters",
        { ...FRESH, receipt: { address: ["Calle", "x".repeat(43)], support: [] } },
        ["receipt.address.1"],
      ],
      [
        "a line that breaks",
        { ...FRESH, receipt: { address: ["Calle\n1"], support: [] } },
        ["receipt.address.0"],
      ],
      ["an address alone", { ...FRESH, receipt: { address: [] } }, ["receipt.support"]],
      ["no time zone", { ...FRESH, timeZone: "" }, ["timeZone"]],
      ["a text for a switch", { ...FRESH, lookupEnabled: "off" }, ["lookupEnabled"]],
      ["a number for a switch", { ...FRESH, lookupEnabled: 0 }, ["lookupEnabled"]],
      ["null for a switch", { ...FRESH, lookupEnabled: null }, ["lookupEnabled"]],
      ["one environment", { ...FRESH, environments: { test } }, ["environments.live"]],
      [
        "a third environment",
        { ...FRESH, environments: { test, live, prod: live } },
        ["environments.prod"],
      ],
      [
        "an environment without its switch",
        { ...FRESH, environments: { test: {}, live } },
        ["environments.test.queueEnabled"],
      ],
      ["a switch that nobody knows", { ...FRESH, beta: true }, ["beta"]],
      ["a list", [FRESH], ["body"]],
    ];
    const before = await digestDatabase(till.gateway.context.db);
    for (const [what, body, fields] of cases) {
      const answer = await owner.pos("PUT", "/settings", body);
      expect([answer.status, answer.body.errorCode], what).toEqual([400, "INVALID_REQUEST"]);
      expect(Object.keys(answer.body.fields).sort(), what).toEqual(fields);
      expect(await digestDatabase(till.gateway.context.db)).toEqual(before);
    }
  });
});
