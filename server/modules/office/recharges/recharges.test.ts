import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SECOND } from "../../../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestTill } from "../../../testing/test-till.ts";

const START = 100_000;

let gateway: TestGateway;
let owner: TestTill;
beforeEach(async () => {
  gateway = await startTestGateway();
  owner = await openTill(gateway, { currency: "GTQ", rate: "7.75" });
});
afterEach(async () => {
  await gateway.expectCleanBooks();
  await gateway.close();
});

function aRecharge(more: object = {}) {
  return { rechargeId: randomUUID(), environment: "test", amount: 700, ...more };
}
const send = (recharge: object) => owner.pos("POST", "/wallet/recharges", recharge);

function reverse(rechargeId: string, more: object = {}, by = owner) {
  const reversalId = randomUUID();
  const body = { environment: "test", reversalId, reason: "Typed twice", pin: OWNER_PIN, ...more };
  return by.pos("POST", `/wallet/recharges/${rechargeId}/reversal`, body);
}
const available = async () => (await owner.pos("GET", "/wallet/overview")).body.available;
const setAvailable = (amount: number) =>
  owner.pos("PUT", "/wallet/test-balance", { available: amount });

/** Sells a line, and derives the average price of its wallet money from the exchange result. */
async function readAverage(): Promise<number> {
  const line = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };
  const { transactionId } = (await owner.sell([line])).body.lines[0];
  await gateway.advance(SECOND);
  const { cost } = (await gateway.v1("GET", `/topups/purchases/${transactionId}`)).body;
  const days = "firstDay=2026-01-15&lastDay=2026-01-15";
  const { fxResult } = (await owner.pos("GET", `/figures/money?${days}`)).body;
  return (Math.ceil(cost * 7.75) - fxResult) / cost;
}

describe("a recharge of the wallet", () => {
  it("books nothing when repeated, and is refused if another recharge has its id", async () => {
    const recharge = aRecharge({ reference: "Transfer 88-1", paid: 5_500 });
    for (const _ of [1, 2]) expect((await send(recharge)).body.available).toBe(START + 700);
    for (const change of [{ amount: 701 }, { paid: 5_501 }, { reference: "Transfer 88-2" }]) {
      const other = await send({ ...recharge, ...change });
      expect([other.status, other.body.errorCode]).toEqual([409, "ID_TAKEN"]);
    }
    expect(await available()).toBe(START + 700);
    const bare = aRecharge();
    for (const _ of [1, 2]) expect((await send(bare)).body.available).toBe(START + 1_400);
  });

  it("needs a confirmation if another recharge has its reference, and is then booked once", async () => {
    await send(aRecharge({ reference: "Transfer 88-1" }));
    const second = aRecharge({ reference: " transfer 88-1 " });
    const asked = await send(second);
    expect([asked.status, asked.body.errorCode]).toEqual([409, "REFERENCE_USED"]);
    expect(asked.body.fields).toMatchObject({ amount: "700" });
    expect(await available()).toBe(START + 700);
    expect((await send({ ...second, isSure: true })).body.available).toBe(START + 1_400);
    expect((await send(second)).body.available).toBe(START + 1_400);
  });

  it("needs a client id", async () => {
    const { status, body } = await send({ environment: "test", amount: 700 });
    expect([status, Object.keys(body.fields)]).toEqual([400, ["rechargeId"]]);
  });
});

describe("a reversal of a recharge", () => {
  it("reverses the recharge once, by an entry with a reason, and frees its reference", async () => {
    const recharge = aRecharge({ reference: "Transfer 88-1" });
    await send(recharge);
    const reversalId = randomUUID();
    for (const _ of [1, 2]) {
      const done = await reverse(recharge.rechargeId, { reversalId });
      expect([done.status, done.body.available]).toEqual([200, START]);
    }
    const again = await reverse(recharge.rechargeId);
    expect([again.status, again.body.errorCode]).toEqual([409, "RECHARGE_REVERSED"]);
    const { list } = (await owner.pos("GET", "/wallet/statement?limit=2")).body;
    expect(list).toMatchObject([
      { transactionId: reversalId, available: { change: -700 }, reversalReason: "Typed twice" },
      { transactionId: recharge.rechargeId, reversedBy: reversalId },
    ]);
    const trail = (await owner.pos("GET", "/audit-trail?limit=1")).body.list;
    expect(trail[0]).toMatchObject({
      action: "wallet.recharge-reverse",
      detail: { amount: -700, reason: "Typed twice" },
    });
    const next = aRecharge({ reference: "Transfer 88-1" });
    expect((await send(next)).status).toBe(200);
    for (const taken of [
      await send(aRecharge({ rechargeId: reversalId })),
      await reverse(next.rechargeId, { reversalId: next.rechargeId }),
    ]) {
      expect([taken.status, taken.body.errorCode]).toEqual([409, "ID_TAKEN"]);
    }
  });

  it("requires an owner's PIN, and leaves no trace when refused", async () => {
    const recharge = aRecharge();
    await send(recharge);
    const wrong = await reverse(recharge.rechargeId, { pin: "1470" });
    expect([wrong.status, wrong.body.errorCode]).toEqual([401, "PIN_WRONG"]);
    const unknown = await reverse(randomUUID());
    expect([unknown.status, unknown.body.errorCode]).toEqual([404, "NOT_FOUND"]);
    const ana = { name: "Ana", role: "supervisor", pin: "2583" };
    const { staffId } = (await owner.pos("POST", "/staff", ana)).body;
    const other = await owner.signIn(staffId, ana.pin);
    expect((await reverse(recharge.rechargeId, { pin: ana.pin }, other)).status).toBe(403);
    expect(await available()).toBe(START + 700);
  });

  it("fails if the recharged money was spent", async () => {
    const recharge = aRecharge();
    await send(recharge);
    for (const _ of [1, 2]) await setAvailable(699);
    const refused = await reverse(recharge.rechargeId);
    expect([refused.status, refused.body.errorCode]).toEqual([409, "RECHARGE_SPENT"]);
    expect(await available()).toBe(699);
    // The second request changed nothing.
    const { list } = (await owner.pos("GET", "/audit-trail?action=wallet.set&limit=9")).body;
    expect(list).toHaveLength(1);
  });

  it.each([
    ["while money with a price remains", 10_000],
    ["after the money with a price was spent", 0],
  ])("restores the earlier average price %s", async (_when, left) => {
    await setAvailable(0);
    await send(aRecharge({ amount: 10_000, paid: 70_000 }));
    await gateway.advance(SECOND);
    await setAvailable(left);
    const second = aRecharge({ amount: 10_000, paid: 80_000 });
    await send(second);
    await gateway.advance(SECOND);
    await reverse(second.rechargeId);
    await setAvailable(10_000);
    expect(await readAverage()).toBe(7);
  });

  it("keeps the average price if no other recharge has a price", async () => {
    await setAvailable(0);
    const only = aRecharge({ amount: 10_000, paid: 70_000 });
    await send(only);
    await gateway.advance(SECOND);
    await reverse(only.rechargeId);
    await setAvailable(10_000);
    expect(await readAverage()).toBe(7);
  });
});
