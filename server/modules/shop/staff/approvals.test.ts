import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MINUTE, SECOND } from "../../../lib/clock.ts";
import { digestDatabase } from "../../../testing/database-digest.ts";
import { type Answer, startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestTill } from "../../../testing/test-till.ts";

let till: TestGateway;
let owner: TestTill;
let clerk: TestTill;
let marta: string;
let saleId: string;
let requestDigest: string;
let facts: string;
const MARTAS_PIN = "8264";
const REPRINT = [{ right: "reprint" }];
const LINE = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };

beforeEach(async () => {
  till = await startTestGateway();
  owner = await openTill(till);
  clerk = await owner.signIn(await hire("Ana", "clerk", "1739", { reprint: false }), "1739");
  marta = await hire("Marta", "supervisor", MARTAS_PIN);
  saleId = (await clerk.sell([LINE])).body.saleId;
  await print();
  ({ requestDigest, facts } = (await print()).body.fields);
});
afterEach(() => till.close());

async function hire(name: string, role: string, pin: string, ownRights?: object): Promise<string> {
  const { staffId } = (await owner.pos("POST", "/staff", { name, role, pin })).body;
  if (ownRights) {
    const changed = await owner.pos("PATCH", `/staff/${staffId}`, { ownRights });
    expect([changed.status, changed.body.ownRights]).toEqual([200, ownRights]);
  }
  return staffId;
}

function approve(change: object = {}): Promise<Answer> {
  const input = { approvalId: randomUUID(), staffId: marta, pin: MARTAS_PIN };
  return clerk.pos("POST", "/approvals", {
    ...input,
    rights: REPRINT,
    subject: saleId,
    requestDigest,
    facts,
    ...change,
  });
}

function print(approvalId?: string, who = clerk, query = ""): Promise<Answer> {
  const approved = approvalId === undefined ? "" : `approvalId=${approvalId}`;
  return who.pos("POST", `/sales/${saleId}/prints?${approved}${query}`);
}

function expectRefused(answer: Answer, wrong?: string): void {
  const fields = {
    right: "reprint",
    needs: "reprint",
    requestDigest,
    facts,
    ...(wrong && { approvalId: wrong }),
  };
  expect([answer.status, answer.body.errorCode]).toEqual([403, "APPROVAL_REQUIRED"]);
  expect(answer.body.fields).toEqual(fields);
}

async function trail(action: string) {
  return till.gateway.context.db
    .selectFrom("audit_trail")
    .select(["staff_id", "subject", "detail_json"])
    .where("action", "=", action)
    .orderBy("entry_id")
    .execute();
}

describe("an approval by another person", () => {
  it("permits one action, and the audit trail names both people", async () => {
    expectRefused(await print());
    const given = await approve();
    expect(given.body).toMatchObject({ approvedBy: { staffId: marta, name: "Marta" } });
    // The clerk stays signed in.
    expect((await clerk.pos("GET", "/session")).body.staff.name).toBe("Ana");

    const copy = await print(given.body.approvalId);
    expect([copy.status, copy.body.copyNumber]).toEqual([200, 1]);
    expectRefused(await print(given.body.approvalId), "has been used");

    const [gave] = await trail("approval.give");
    expect(gave).toMatchObject({ staff_id: marta, subject: saleId });
    expect(JSON.parse(gave?.detail_json ?? "")).toMatchObject({
      requestedBy: "Ana",
      needs: "reprint",
    });
    const [used] = await trail("approval.use");
    expect(used).toMatchObject({ staff_id: clerk.staffId, subject: saleId });
    expect(JSON.parse(used?.detail_json ?? "")).toMatchObject({ approvedBy: "Marta" });
  });

  it("permits only one of many simultaneous prints", async () => {
    const { approvalId } = (await approve()).body;
    const prints = await Promise.all([1, 2, 3, 4].map(() => print(approvalId)));
    expect(prints.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 403, 403, 403]);
  });

  it("expires after five minutes", async () => {
    const { approvalId } = (await approve()).body;
    await till.advance(5 * MINUTE);
    expectRefused(await print(approvalId), "has expired");
    const late = (await approve()).body.approvalId;
    await till.advance(5 * MINUTE - SECOND);
    expect((await print(late)).status).toBe(200);
  });

  it("expires when the clock is set back to a time before its creation", async () => {
    const { approvalId } = (await approve()).body;
    till.clock.jump(-60 * MINUTE);
    await till.advance(30 * MINUTE);
    expectRefused(await print(approvalId), "has expired");
  });

  it("covers only the approved action of the person who requested it", async () => {
    for (const change of [{ subject: randomUUID() }, { requestDigest: "0".repeat(64) }]) {
      const other = (await approve(change)).body.approvalId;
      expectRefused(await print(other), "is for something else");
    }
    const lesser = (await approve({ rights: [{ right: "noSale" }] })).body.approvalId;
    expectRefused(await print(lesser), "does not cover it");
    expectRefused(await print(randomUUID()), "is unknown");

    const { approvalId } = (await approve()).body;
    const ben = await hire("Ben", "clerk", "5926", { reprint: false });
    expectRefused(await print(approvalId, await owner.signIn(ben, "5926")), "is unknown");
    const spanish = await print(approvalId, clerk, "&language=es");
    expect(spanish.body.fields.approvalId).toBe("is for something else");
    // The refusals did not use up the approval.
    expect((await print(approvalId)).status).toBe(200);
  });

  it("becomes invalid when the approver loses the permission or leaves", async () => {
    const { approvalId } = (await approve()).body;
    await owner.pos("PATCH", `/staff/${marta}`, { active: false });
    expectRefused(await print(approvalId), "is not good any more");
    await owner.pos("PATCH", `/staff/${marta}`, { active: true, ownRights: { reprint: false } });
    expectRefused(await print(approvalId), "is not good any more");
  });

  it("returns the same approval for a repeated id, and refuses a different request with that id", async () => {
    const approvalId = randomUUID();
    const first = await approve({ approvalId });
    expect((await approve({ approvalId })).body).toEqual(first.body);
    expect(await trail("approval.give")).toHaveLength(1);
    for (const change of [{ subject: "another" }, { requestDigest: "0".repeat(64) }]) {
      const taken = await approve({ approvalId, ...change });
      expect([taken.status, taken.body.fields]).toEqual([409, { approvalId: "is taken" }]);
    }
  });

  it("survives a restart", async () => {
    const { approvalId } = (await approve()).body;
    await till.restart();
    expect((await print(approvalId)).status).toBe(200);
  });
});

describe("the list of approvers", () => {
  it("contains people with the permission, except clerks and the requester", async () => {
    await hire("Rita", "supervisor", "9157", { reprint: false });
    await hire("Carla", "clerk", "7777");
    const { body } = await clerk.pos("GET", "/approvers?needs=reprint");
    expect(body.list.map(({ name }: { name: string }) => name)).toEqual(["Marta", "Olga"]);
    const much = await clerk.pos("GET", "/approvers?needs=discountPct%3D50%20reprint");
    expect(much.body.list.map(({ name }: { name: string }) => name)).toEqual(["Olga"]);
    const none = await clerk.pos("GET", "/approvers?needs=reprint%20cheat");
    expect([none.status, none.body.fields]).toEqual([400, { needs: "is not known" }]);
  });

  it("refuses a person who lacks the permission, and counts no PIN attempt", async () => {
    const before = await digestDatabase(till.gateway.context.db);
    const carla = clerk.staffId;
    for (const change of [{ rights: [{ right: "discountPct", asked: 21 }] }, { staffId: carla }]) {
      const answer = await approve({ ...change, pin: "0000" });
      expect([answer.status, answer.body.errorCode]).toEqual([403, "APPROVER_NOT_ALLOWED"]);
      expect(answer.body.fields).toEqual({ staffId: "may not approve this" });
    }
    expect(await digestDatabase(till.gateway.context.db)).toEqual(before);
  });

  it("counts wrong PINs together with the sign-in, and shares its lock", async () => {
    for (let left = 4; left > 0; left--) {
      const wrong = await approve({ pin: "0000" });
      expect([wrong.status, wrong.body.fields.attemptsLeft]).toEqual([401, String(left)]);
    }
    const sign = { staffId: marta, pin: "0000" };
    expect((await till.call("POST", "/pos/session", { body: sign })).status).toBe(429);
    const locked = await approve();
    expect([locked.status, locked.body.errorCode]).toEqual([429, "PIN_LOCKED"]);
    const [first] = await trail("staff.pin-wrong");
    expect(first).toMatchObject({ staff_id: clerk.staffId, subject: marta });
    expect(await trail("staff.pin-locked")).toHaveLength(1);
    await till.advance(MINUTE);
    expect((await approve()).status).toBe(200);
  });

  it("checks a PIN that two people share only for the chosen person", async () => {
    // A refusal would reveal that another person has this PIN.
    const twin = await hire("Twin", "clerk", MARTAS_PIN);
    const signedIn = await owner.signIn(twin, MARTAS_PIN);
    expect((await signedIn.pos("GET", "/session")).body.staff).toMatchObject({ name: "Twin" });
    expect((await approve({ staffId: twin })).body.errorCode).toBe("APPROVER_NOT_ALLOWED");
    expect((await approve({ staffId: owner.staffId, pin: MARTAS_PIN })).status).toBe(401);
    expect((await approve({ staffId: owner.staffId, pin: OWNER_PIN })).status).toBe(200);
  });
});

describe("an invalid approval request", () => {
  it.each<[string, object, string]>([
    ["an id that is none", { approvalId: "1" }, "approvalId"],
    ["no rights", { rights: [] }, "rights"],
    ["a right that is none", { rights: [{ right: "cheat" }] }, "rights.0.right"],
    ["a figure below 0", { rights: [{ right: "perSale", asked: -1 }] }, "rights.0.asked"],
    ["no subject", { subject: undefined }, "subject"],
    ["no digest", { requestDigest: undefined }, "requestDigest"],
    ["a digest that is none", { requestDigest: "payOut" }, "requestDigest"],
    ["no facts", { facts: undefined }, "facts"],
    ["an unknown field", { amount: 1 }, "amount"],
  ])("refuses %s, names the field and leaves no trace", async (_what, change, field) => {
    const before = await digestDatabase(till.gateway.context.db);
    const answer = await approve(change);
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, [field]]);
    expect(await digestDatabase(till.gateway.context.db)).toEqual(before);
  });
});
