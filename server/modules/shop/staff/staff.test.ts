import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rightsOf } from "../../../contract/pos/rights.ts";
import { buildApp } from "../../../gateway/app.ts";
import { DAY, HOUR, MINUTE, toTimestamp } from "../../../lib/clock.ts";
import { digestDatabase } from "../../../testing/database-digest.ts";
import { type Answer, startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { cookieOf, OWNER_PIN, openTill, type TestTill } from "../../../testing/test-till.ts";

let till: TestGateway;
beforeEach(async () => {
  till = await startTestGateway();
});
afterEach(() => till.close());

const SETUP = {
  shopName: "Corner Shop",
  currency: "GTQ",
  rate: "7.75",
  language: "es",
  ownerName: "Olga",
  ownerPin: OWNER_PIN,
};

function setUp(change: object = {}): Promise<Answer> {
  return till.call("POST", "/pos/setup", { body: { ...SETUP, ...change } });
}

function signIn(staffId: string, pin: string): Promise<Answer> {
  return till.call("POST", "/pos/session", { body: { staffId, pin } });
}

async function addClerk(owner: TestTill, name = "Carla", pin = "1739"): Promise<string> {
  const answer = await owner.pos("POST", "/staff", { name, role: "clerk", pin });
  expect(answer.status).toBe(200);
  return answer.body.staffId;
}

describe("the set-up of a shop", () => {
  it("uses the chosen time zone for the shop's days and country", async () => {
    const wrong = await setUp({ timeZone: "America/Nowhere" });
    expect([wrong.status, Object.keys(wrong.body.fields)]).toEqual([400, ["timeZone"]]);
    expect((await till.call("GET", "/pos/status")).body.setUp).toBe(false);
    expect((await setUp({ currency: "EUR", rate: "0.86", timeZone: "Europe/Madrid" })).status).toBe(
      200,
    );
    const status = (await till.call("GET", "/pos/status")).body;
    expect(status).toMatchObject({ timeZone: "Europe/Madrid", country: "ES" });
  });

  it("must be completed before any other operation works", async () => {
    expect((await till.call("GET", "/pos/status")).body).toEqual({
      version: expect.any(String),
      setUp: false,
      cashStep: 0,
      shopName: "",
      currency: "",
      currencyDivisor: 100,
      language: "en",
      environment: "test",
      idleLockMinutes: 3,
      timeZone: expect.any(String),
      dayStartsAt: 0,
      country: "",
    });
    expect((await till.call("GET", "/pos/staff/names")).body).toEqual({ list: [] });
  });

  it("creates the shop and its owner, and signs the owner in", async () => {
    const answer = await setUp();
    expect(answer.body).toEqual({
      staff: { staffId: expect.any(String), name: "Olga", role: "owner" },
      expiresAt: toTimestamp(till.clock.now() + 12 * HOUR),
      environment: "test",
      training: false,
      rights: expect.objectContaining({ discountPct: 100, seeExpectedCash: true }),
      limits: {},
    });
    expect((await till.call("GET", "/pos/status")).body).toMatchObject({
      setUp: true,
      shopName: "Corner Shop",
      country: "GT",
      currency: "GTQ",
      currencyDivisor: 100,
      language: "es",
      environment: "test",
    });
    const headers = { cookie: cookieOf(answer) };
    const session = await till.call("GET", "/pos/session", { headers });
    expect(session.body).toEqual(answer.body);
  });

  it("proposes an exact rate as text for every currency", async () => {
    const { body } = await till.call("GET", "/pos/setup/currencies");
    expect(body.walletCurrency).toBe("USD");
    expect(body.asOf).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    const currencies = body.list as { currency: string; currencyDivisor: number; rate: string }[];
    const codes = currencies.map(({ currency }) => currency);
    expect(codes).toEqual([...new Set(codes)].sort());
    for (const { rate } of currencies) expect(rate).toMatch(/^\d+(\.\d+)?$/);
    expect(currencies.find(({ currency }) => currency === "USD")?.rate).toBe("1");
    expect(currencies.find(({ currency }) => currency === "JPY")?.currencyDivisor).toBe(1);
    expect(currencies.find(({ currency }) => currency === "KWD")?.currencyDivisor).toBe(1000);
  });

  it("uses the proposed rate and an owner's name in the shop's language by default", async () => {
    const { body } = await till.call("GET", "/pos/setup/currencies");
    const proposed = body.list.find((c: { currency: string }) => c.currency === "MXN").rate;
    const answer = await setUp({ currency: "MXN", rate: undefined, ownerName: undefined });
    expect(answer.body.staff.name).toBe("Propietario");
    expect((await till.gateway.context.shop.get("default")).rate).toBe(proposed);
  });

  it.each<[string, object, string]>([
    ["a name of spaces", { shopName: "   " }, "shopName"],
    ["an empty name", { shopName: "" }, "shopName"],
    ["a name of 61 characters", { shopName: "x".repeat(61) }, "shopName"],
    ["no name", { shopName: undefined }, "shopName"],
    ["a currency that is none", { currency: "ZZZ" }, "currency"],
    ["a currency in small letters", { currency: "gtq" }, "currency"],
    ["no currency", { currency: undefined }, "currency"],
    ["a rate of nothing", { rate: "0" }, "rate"],
    ["a rate of 0.000", { rate: "0.000" }, "rate"],
    ["a negative rate", { rate: "-7.75" }, "rate"],
    ["a rate with a comma", { rate: "7,75" }, "rate"],
    ["a rate with an exponent", { rate: "7e3" }, "rate"],
    ["a rate that is a number", { rate: 7.75 }, "rate"],
    ["a rate for the wallet's own currency", { currency: "USD", rate: "1.1" }, "rate"],
    ["a language that is not spoken", { language: "de" }, "language"],
    ["an owner's name of spaces", { ownerName: " " }, "ownerName"],
    ["an owner's name of 41 characters", { ownerName: "x".repeat(41) }, "ownerName"],
    ["a PIN of three digits", { ownerPin: "123" }, "ownerPin"],
    ["a PIN of nine digits", { ownerPin: "123456789" }, "ownerPin"],
    ["a PIN with a letter", { ownerPin: "12a4" }, "ownerPin"],
    ["a PIN of other digits", { ownerPin: "١٢٣٤" }, "ownerPin"],
    ["a PIN that is a number", { ownerPin: 4711 }, "ownerPin"],
    ["no PIN", { ownerPin: undefined }, "ownerPin"],
    ["an unknown field", { ownerRole: "owner" }, "ownerRole"],
  ])("refuses %s and leaves no trace", async (_name, change, field) => {
    const before = await digestDatabase(till.gateway.context.db);
    const answer = await setUp(change);
    expect(answer.body).toMatchObject({ errorCode: "INVALID_REQUEST" });
    expect(Object.keys(answer.body.fields)).toEqual([field]);
    expect(answer.status).toBe(400);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await digestDatabase(till.gateway.context.db)).toEqual(before);
  });

  it("succeeds only once for repeated and simultaneous requests", async () => {
    const answers = await Promise.all([1, 2, 3, 4, 5].map((n) => setUp({ shopName: `Shop ${n}` })));
    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses).toEqual([200, 409, 409, 409, 409]);
    const again = await setUp();
    expect(again.status).toBe(409);
    expect(again.body.errorCode).toBe("ALREADY_SET_UP");
    expect((await till.call("GET", "/pos/staff/names")).body.list).toHaveLength(1);
  });

  it.each(["192.168.1.20", "10.0.0.1", "::ffff:192.168.1.20", "2001:db8::1", "0.0.0.0"])(
    "refuses a request from another machine: %s",
    async (remoteAddress) => {
      const app = await buildApp(till.gateway.context);
      try {
        const request = { method: "POST", url: "/pos/setup", payload: SETUP } as const;
        const answer = await app.inject({ ...request, remoteAddress });
        expect(answer.statusCode).toBe(403);
        expect(answer.json()).toMatchObject({ errorCode: "FORBIDDEN" });
        expect((await till.call("GET", "/pos/status")).body.setUp).toBe(false);
      } finally {
        await app.close();
      }
    },
  );

  it.each(["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"])(
    "accepts a request from this machine: %s",
    async (remoteAddress) => {
      const app = await buildApp(till.gateway.context);
      try {
        const request = { method: "POST", url: "/pos/setup", payload: SETUP } as const;
        expect((await app.inject({ ...request, remoteAddress })).statusCode).toBe(200);
      } finally {
        await app.close();
      }
    },
  );
});

describe("a staff session", () => {
  let owner: TestTill;
  beforeEach(async () => {
    owner = await openTill(till);
  });

  it("uses a same-site cookie that scripts cannot read and browsers send only to /pos", async () => {
    const answer = await signIn(owner.staffId, OWNER_PIN);
    const [cookie = "", ...others] = answer.headers.getSetCookie();
    expect(others).toEqual([expect.stringMatching(/^tillgate_device=/)]);
    const [pair = "", ...flags] = cookie.split("; ");
    expect(pair).toMatch(/^tillgate_session=[\w-]{43}$/);
    expect(flags.sort()).toEqual(["HttpOnly", "Path=/pos", "SameSite=Strict"]);
    expect(JSON.stringify(answer.body)).not.toContain(pair.split("=")[1]);
  });

  it("has only the hash of its token in the database", async () => {
    const token = owner.cookie.split("=")[1] ?? "";
    const digest = JSON.stringify(await digestDatabase(till.gateway.context.db));
    expect(digest).not.toContain(token);
    expect(digest).toContain(createHash("sha256").update(token).digest("hex"));
    expect(digest).not.toMatch(new RegExp(`"${OWNER_PIN}"`));
  });

  it("lasts twelve hours", async () => {
    till.clock.set(till.clock.now() + 12 * HOUR - 1);
    expect((await owner.pos("GET", "/session")).status).toBe(200);
    till.clock.set(till.clock.now() + 1);
    const ended = await owner.pos("GET", "/session");
    expect(ended.status).toBe(401);
    expect(ended.body.errorCode).toBe("NOT_SIGNED_IN");
  });

  it("ends only at its own sign-out", async () => {
    const other = await owner.signIn(owner.staffId, OWNER_PIN);
    const answer = await owner.pos("DELETE", "/session");
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie()[0]).toMatch(/^tillgate_session=;.*Path=\/pos/);
    expect((await owner.pos("GET", "/session")).status).toBe(401);
    expect((await other.pos("GET", "/session")).status).toBe(200);
  });

  it("ends when another person signs in, but not after a failed sign-in", async () => {
    const over = (pin: string) =>
      till.call("POST", "/pos/session", {
        headers: { cookie: owner.cookie },
        body: { staffId: owner.staffId, pin },
      });
    expect((await over("582047")).status).toBe(401);
    expect((await owner.pos("GET", "/session")).status).toBe(200);
    const next = await over(OWNER_PIN);
    expect((await owner.pos("GET", "/session")).status).toBe(401);
    const headers = { cookie: cookieOf(next) };
    expect((await till.call("GET", "/pos/session", { headers })).status).toBe(200);
  });

  it.each(["", "tillgate_session=", "tillgate_session=nonsense", "tillgate_session=%00"])(
    "does not open with the cookie %j",
    async (cookie) => {
      const answer = await till.call("GET", "/pos/session", { headers: { cookie } });
      expect(answer.status).toBe(401);
    },
  );

  it("survives a restart of the gateway", async () => {
    await till.restart();
    expect((await owner.pos("GET", "/session")).status).toBe(200);
  });

  it("permits no requests to /v1, and an API key permits no requests to /pos", async () => {
    const withCookie = await till.call("GET", "/v1/balance", { headers: { cookie: owner.cookie } });
    expect(withCookie.body.errorCode).toBe("NOT_AUTHORIZED");
    const headers = { authorization: `Bearer ${till.key("test")}` };
    const withKey = await till.call("GET", "/pos/wallet", { headers });
    expect(withKey.body.errorCode).toBe("NOT_SIGNED_IN");
  });
});

describe("wrong PINs at the sign-in", () => {
  let owner: TestTill;
  let clerk: string;
  beforeEach(async () => {
    owner = await openTill(till);
    clerk = await addClerk(owner);
  });

  async function guessWrong(times: number): Promise<Answer> {
    let answer = await signIn(clerk, "0000");
    for (let n = 1; n < times; n++) answer = await signIn(clerk, "0000");
    return answer;
  }

  it("reduce the remaining attempts, until the fifth locks the name for a minute", async () => {
    for (const attemptsLeft of ["4", "3", "2", "1"]) {
      const answer = await signIn(clerk, "0000");
      expect(answer.status).toBe(401);
      expect(answer.body).toMatchObject({ errorCode: "PIN_WRONG", fields: { attemptsLeft } });
    }
    const locked = await signIn(clerk, "0000");
    expect(locked.status).toBe(429);
    const lockedUntil = toTimestamp(till.clock.now() + MINUTE);
    expect(locked.body).toMatchObject({ errorCode: "PIN_LOCKED", fields: { lockedUntil } });
  });

  it("cause a lock that refuses the right PIN until it ends", async () => {
    await guessWrong(5);
    expect((await signIn(clerk, "1739")).body.errorCode).toBe("PIN_LOCKED");
    till.clock.set(till.clock.now() + MINUTE - 1);
    expect((await signIn(clerk, "1739")).body.errorCode).toBe("PIN_LOCKED");
    till.clock.set(till.clock.now() + 1);
    expect((await signIn(clerk, "1739")).status).toBe(200);
  });

  it("cause locks that double in length, up to an hour", async () => {
    await guessWrong(4);
    for (const minutes of [1, 2, 4, 8, 16, 32, 60, 60, 60]) {
      const answer = await signIn(clerk, "0000");
      const lockedUntil = toTimestamp(till.clock.now() + minutes * MINUTE);
      expect(answer.body.fields).toMatchObject({ lockedUntil });
      till.clock.set(till.clock.now() + minutes * MINUTE);
    }
    till.clock.set(till.clock.now() + 400 * DAY);
    expect((await signIn(clerk, "0000")).body.errorCode).toBe("PIN_LOCKED");
  });

  it("do not extend a running lock", async () => {
    const { body } = await guessWrong(5);
    till.clock.set(till.clock.now() + MINUTE / 2);
    expect((await guessWrong(10)).body).toEqual(body);
  });

  it("count from zero after the right PIN", async () => {
    await guessWrong(4);
    expect((await signIn(clerk, "1739")).status).toBe(200);
    expect((await signIn(clerk, "0000")).body.fields.attemptsLeft).toBe("4");
  });

  it("count even if they are simultaneous: only five of a hundred are checked", async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => signIn(clerk, "0000")));
    const codes = answers.map(({ body }) => body.errorCode);
    expect(codes.filter((code) => code === "PIN_WRONG")).toHaveLength(4);
    expect(codes.filter((code) => code === "PIN_LOCKED")).toHaveLength(96);
  });

  it("stay counted after a restart, and do not lock other people", async () => {
    await guessWrong(5);
    await till.restart();
    expect((await signIn(clerk, "1739")).body.errorCode).toBe("PIN_LOCKED");
    expect((await signIn(owner.staffId, OWNER_PIN)).status).toBe(200);
  });

  it("get the same response for an unknown person as for a known person", async () => {
    const answer = await signIn("nobody", "1739");
    expect(answer.status).toBe(401);
    expect(answer.body.errorCode).toBe("PIN_WRONG");
  });
});

describe("the staff of a shop", () => {
  let owner: TestTill;
  beforeEach(async () => {
    owner = await openTill(till);
  });

  it("can be read and changed only by owners", async () => {
    const clerk = await owner.signIn(await addClerk(owner), "1739");
    for (const [method, path, body] of [
      ["GET", "/staff", undefined],
      ["POST", "/staff", { name: "Eve", role: "owner", pin: "629318" }],
      ["PATCH", `/staff/${clerk.staffId}`, { role: "owner" }],
      ["PATCH", `/staff/${owner.staffId}`, { pin: "629318" }],
    ] as const) {
      const answer = await clerk.pos(method, path, body);
      expect([answer.status, answer.body.errorCode]).toEqual([403, "FORBIDDEN"]);
    }
    expect((await owner.pos("GET", "/staff")).body.list).toHaveLength(2);
    expect((await signIn(owner.staffId, OWNER_PIN)).status).toBe(200);
  });

  it("appears on the sign-in screen with names, and never with PINs", async () => {
    const staffId = await addClerk(owner);
    const { body } = await owner.pos("GET", "/staff");
    expect(body.list).toContainEqual({
      staffId,
      name: "Carla",
      role: "clerk",
      active: true,
      createdAt: toTimestamp(till.clock.now()),
      rights: rightsOf("clerk", {}),
      ownRights: {},
      limits: {},
    });
    expect((await till.call("GET", "/pos/staff/names")).body).toEqual({
      list: [
        { staffId, name: "Carla", role: "clerk" },
        { staffId: owner.staffId, name: "Olga", role: "owner" },
      ],
    });
  });

  it("has no two equal names, ignoring case and surrounding spaces", async () => {
    const clerk = await addClerk(owner);
    for (const name of ["Carla", "CARLA", " carla "]) {
      const added = await owner.pos("POST", "/staff", { name, role: "clerk", pin: "1739" });
      expect([added.status, added.body.errorCode]).toEqual([409, "NAME_TAKEN"]);
      const renamed = await owner.pos("PATCH", `/staff/${owner.staffId}`, { name });
      expect(renamed.body.errorCode).toBe("NAME_TAKEN");
    }
    expect((await owner.pos("PATCH", `/staff/${clerk}`, { name: "carla" })).status).toBe(200);
  });

  it("always includes an owner who can sign in", async () => {
    for (const change of [{ active: false }, { role: "clerk" }]) {
      const before = await digestDatabase(till.gateway.context.db);
      const answer = await owner.pos("PATCH", `/staff/${owner.staffId}`, change);
      expect([answer.status, answer.body.errorCode]).toEqual([409, "LAST_OWNER"]);
      expect(await digestDatabase(till.gateway.context.db)).toEqual(before);
    }
    const second = { name: "Otto", role: "owner", pin: "283971" };
    expect((await owner.pos("POST", "/staff", second)).status).toBe(200);
    const left = await owner.pos("PATCH", `/staff/${owner.staffId}`, { active: false });
    expect(left.status).toBe(200);
  });

  it("cannot sign in and has no sessions after a deactivation, until the reactivation", async () => {
    const clerk = await owner.signIn(await addClerk(owner), "1739");
    await owner.pos("PATCH", `/staff/${clerk.staffId}`, { active: false });
    expect((await clerk.pos("GET", "/wallet")).status).toBe(401);
    expect((await signIn(clerk.staffId, "1739")).body.errorCode).toBe("PIN_WRONG");
    const names = (await till.call("GET", "/pos/staff/names")).body.list;
    expect(names).toHaveLength(1);
    await owner.pos("PATCH", `/staff/${clerk.staffId}`, { active: true });
    expect((await clerk.pos("GET", "/wallet")).status).toBe(401);
    expect((await signIn(clerk.staffId, "1739")).status).toBe(200);
  });

  it("loses locks and sessions when an owner sets a new PIN", async () => {
    const clerk = await owner.signIn(await addClerk(owner), "1739");
    for (let n = 0; n < 6; n++) await signIn(clerk.staffId, "0000");
    await owner.pos("PATCH", `/staff/${clerk.staffId}`, { pin: "5926" });
    expect((await clerk.pos("GET", "/wallet")).status).toBe(401);
    expect((await signIn(clerk.staffId, "1739")).body.fields.attemptsLeft).toBe("4");
    expect((await signIn(clerk.staffId, "5926")).status).toBe(200);
  });

  it("gains and loses an owner's permissions as soon as the role changes", async () => {
    const clerk = await owner.signIn(await addClerk(owner), "1739");
    await owner.pos("PATCH", `/staff/${clerk.staffId}`, { role: "owner" });
    expect((await clerk.pos("GET", "/staff")).status).toBe(200);
    await owner.pos("PATCH", `/staff/${clerk.staffId}`, { role: "clerk" });
    expect((await clerk.pos("GET", "/staff")).status).toBe(403);
  });

  it.each<[string, object, string]>([
    ["a name of spaces", { name: "  " }, "name"],
    ["a role that is none", { role: "admin" }, "role"],
    ["a short PIN", { pin: "123" }, "pin"],
    ["active as a text", { active: "false" }, "active"],
    ["a permission for an owner", { ownRights: { noSale: true } }, "ownRights"],
    ["a limit for an owner", { limits: { perSale: 100 } }, "limits"],
    ["an unknown field", { staffId: "x" }, "staffId"],
  ])("does not change after a request with %s", async (_name, change, field) => {
    const answer = await owner.pos("PATCH", `/staff/${owner.staffId}`, change);
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.fields)).toEqual([field]);
  });

  it("does not include an unknown person", async () => {
    const answer = await owner.pos("PATCH", "/staff/nobody", { name: "Nobody" });
    expect([answer.status, answer.body.errorCode]).toEqual([404, "NOT_FOUND"]);
  });

  it("records each author and change in the audit trail, without a PIN", async () => {
    const clerk = await addClerk(owner);
    await owner.pos("PATCH", `/staff/${clerk}`, { pin: "98362514" });
    await owner.pos("DELETE", "/session");
    const trail = await till.gateway.context.db.selectFrom("audit_trail").selectAll().execute();
    const entries = trail.map(({ action, staff_id, subject }) => ({ action, staff_id, subject }));
    const by = { staff_id: owner.staffId };
    expect(entries.filter(({ action }) => !/^(key|shift)\./.test(action))).toEqual([
      { action: "shop.set-up", ...by, subject: "default" },
      { action: "staff.sign-in", ...by, subject: owner.staffId },
      { action: "staff.add", ...by, subject: clerk },
      { action: "staff.pin", ...by, subject: clerk },
      { action: "staff.sign-out", ...by, subject: owner.staffId },
    ]);
    expect(JSON.stringify(trail)).not.toContain("98765432");
  });
});
