import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { PosOffer } from "../../../contract/pos/offers.ts";
import { DAY } from "../../../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestLine, type TestTill } from "../../../testing/test-till.ts";

/** Sells in quetzales. The wallet is in dollars, and clerks do not see its figures. */
let till: TestGateway;
let owner: TestTill;
let supervisor: TestTill;
let clerk: TestTill;
const SCOPE = { accountId: "default", environment: "test" } as const;
const TOPUP: TestLine = { offerId: "TIGO_GT_TOPUP_50", recipientPhoneNumber: "+50251234567" };
const PATH = "/offers?country=GT&brand=TIGO";

beforeAll(async () => {
  till = await startTestGateway();
  owner = await openTill(till, { currency: "GTQ", rate: "7.75" });
  const join = async (name: string, role: string, pin: string) => {
    const { staffId } = (await owner.pos("POST", "/staff", { name, role, pin })).body;
    return owner.signIn(staffId, pin);
  };
  supervisor = await join("Mara", "supervisor", "3691");
  clerk = await join("Ana", "clerk", "2583");
});
beforeEach(() => setWallet(100_000));
afterAll(async () => {
  await till.expectCleanBooks();
  await till.close();
});

async function setWallet(available: number): Promise<void> {
  await till.gateway.context.recharges.setTestWallet(SCOPE, available);
}

async function readCost(offerId: string): Promise<number> {
  const { cost } = (await till.v1("GET", `/topups/offers/${offerId}`)).body;
  const base = cost.fixed ?? cost.min;
  return base + cost.fee + Math.ceil((base * cost.feePct) / 100);
}

async function marked(by: TestTill): Promise<string[]> {
  const { paysBelow } = (await by.pos("GET", "/wallet")).body;
  const { list } = (await by.pos("GET", PATH)).body as { list: PosOffer[] };
  expect(list.length).toBeGreaterThan(5);
  return list.filter(({ costRank }) => costRank >= paysBelow).map(({ offerId }) => offerId);
}

describe("the wallet at the till", () => {
  it("shows its figures only to people with the permission to see them", async () => {
    for (const one of [owner, supervisor]) {
      const { body } = await one.pos("GET", "/wallet");
      expect(body.figures).toMatchObject({ available: 100_000, held: 0, currency: "USD" });
    }
    const { body } = await clerk.pos("GET", "/wallet");
    expect(body).toEqual({
      environment: "test",
      level: "enough",
      paysBelow: expect.any(Number),
    });
    expect(JSON.stringify(body)).not.toMatch(/100000|1000\b/);
  });

  it("warns with an amount in the shop's currency, rounded down", async () => {
    await setWallet(1_999);
    const { body } = await clerk.pos("GET", "/wallet");
    expect(body).toMatchObject({
      level: "low",
      short: { upTo: 15_000, currency: "GTQ", currencyDivisor: 100 },
    });
    expect(body.figures).toBeUndefined();
    await setWallet(0);
    expect((await clerk.pos("GET", "/wallet")).body).toMatchObject({
      level: "empty",
      short: { upTo: 0 },
    });
  });

  it("shows the level in the person's environment", async () => {
    await setWallet(0);
    await till.gateway.context.recharges.recharge(
      { ...SCOPE, environment: "live", staffId: owner.staffId },
      50_000,
    );
    expect((await clerk.pos("GET", "/wallet")).body).toMatchObject({
      environment: "test",
      level: "empty",
    });
  });

  it("counts as sufficient in training, which costs nothing", async () => {
    await setWallet(0);
    await clerk.pos("POST", "/session/training", { on: true });
    expect((await clerk.pos("GET", "/wallet")).body).toMatchObject({ level: "enough" });
    expect(await marked(clerk)).toEqual([]);
    const { body } = await clerk.pos("POST", "/wallet/check", { lines: [toWanted(TOPUP)] });
    expect(body).toEqual({});
    await clerk.pos("POST", "/session/training", { on: false });
  });
});

describe("an amount above the wallet balance", () => {
  it("has a mark on its tile even if the balance is only one minor unit too low", async () => {
    expect(await marked(clerk)).toEqual([]);
    const cost = await readCost("TIGO_GT_TOPUP_50");
    await setWallet(cost);
    expect(await marked(clerk)).not.toContain("TIGO_GT_TOPUP_50");
    await setWallet(cost - 1);
    const short = await marked(clerk);
    expect(short).toContain("TIGO_GT_TOPUP_50");
    for (const offerId of short) expect(await readCost(offerId)).toBeGreaterThanOrEqual(cost);
  });

  it("has a mark if the balance is too low because of the cost that another sale holds", async () => {
    const cost = await readCost("TIGO_GT_TOPUP_50");
    await setWallet(2 * cost - 1);
    expect(await marked(clerk)).not.toContain("TIGO_GT_TOPUP_50");
    const waiting = { ...TOPUP, recipientPhoneNumber: "+50251239004" };
    expect((await clerk.sell([waiting])).status).toBe(200);
    expect((await owner.pos("GET", "/wallet")).body.figures.held).toBe(cost);
    expect(await marked(clerk)).toContain("TIGO_GT_TOPUP_50");
    const { body } = await clerk.pos("POST", "/wallet/check", { lines: [toWanted(TOPUP)] });
    expect(body.short).toMatchObject({ currency: "GTQ" });
  });

  it("causes a warning when it is typed", async () => {
    await setWallet(1_000);
    const check = async (value: number) => {
      const line = { offerId: "TIGO_GT_TOPUP_RANGE", value: { type: "ZEND", value } };
      return (await clerk.pos("POST", "/wallet/check", { lines: [line] })).body;
    };
    expect(await check(5_000)).toEqual({});
    const short = { upTo: 7_700, currency: "GTQ", currencyDivisor: 100 };
    expect(await check(20_000)).toEqual({ short });
  });

  it("causes a warning for lines that together cost more than the balance", async () => {
    const cost = await readCost("TIGO_GT_TOPUP_50");
    await setWallet(2 * cost);
    const check = async (count: number) =>
      (await clerk.pos("POST", "/wallet/check", { lines: Array(count).fill(toWanted(TOPUP)) }))
        .body;
    expect(await check(2)).toEqual({});
    expect((await check(3)).short.upTo).toBe(firstTwoDigits(2 * cost * 7.75));
    const bad = await clerk.pos("POST", "/wallet/check", { lines: [] });
    expect([bad.status, Object.keys(bad.body.fields)]).toEqual([400, ["lines"]]);
  });

  it("causes a refusal that states an amount in the shop's currency but not the balance", async () => {
    await setWallet(1_000);
    const answer = await clerk.sell([TOPUP, TOPUP]);
    expect([answer.status, answer.body.errorCode]).toEqual([409, "WALLET_SHORT"]);
    expect(answer.body.fields).toEqual({ upTo: "7700", currency: "GTQ", currencyDivisor: "100" });
    expect(answer.body.message).toContain("77.00 GTQ");
  });
});

describe("a low wallet", () => {
  it("covers less than the average daily spending of the last seven days", {
    tags: ["thorough"],
  }, async () => {
    const cost = await readCost("TIGO_GT_TOPUP_50");
    await setWallet(10_000);
    expect((await clerk.pos("GET", "/wallet")).body.level).toBe("enough");
    await setWallet(1_000_000);
    for (let n = 0; n < 100; n++) {
      await clerk.sell([{ ...TOPUP, recipientPhoneNumber: `+5025123${1000 + n}` }]);
    }
    await till.advance(DAY);
    clerk = await owner.signIn(clerk.staffId, "2583");
    const day = Math.floor((100 * cost) / 7);
    expect(day).toBeGreaterThan(5_000);
    await setWallet(day - cost);
    expect((await clerk.pos("GET", "/wallet")).body.level).toBe("low");
    await setWallet(day + cost);
    expect((await clerk.pos("GET", "/wallet")).body.level).toBe("enough");
  });
});

function toWanted({ offerId, value }: TestLine) {
  return { offerId, ...(value && { value }) };
}

function firstTwoDigits(amount: number): number {
  const digits = String(Math.floor(amount));
  return Number(digits.slice(0, 2).padEnd(digits.length, "0"));
}
