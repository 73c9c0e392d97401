import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CheckedForLive, TillState } from "../../../contract/pos/till-environment.ts";
import { DAY, HOUR, MINUTE, toTimestamp } from "../../../lib/clock.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { giveLiveCatalog } from "../../../testing/live-catalog.ts";
import { createLiveSimulator } from "../../../testing/live-simulator.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openShift, setUpTill, type TestTill } from "../../../testing/test-till.ts";

const TOPUP = "TIGO_GT_TOPUP_25";
/** In the sandbox, the last digits of the number select the outcome. */
const DELIVERED_LATE = "+50251239003";
const NEVER_DELIVERED = "+50251239004";
const NOTHING = {};
const OUTSIDE = { accountId: "default", environment: "live", staffId: undefined } as const;

let gateway: TestGateway;
let owner: TestTill;
let leftAt: number;

const state = async (): Promise<TillState> => (await owner.pos("GET", "/till-environment")).body;

async function checked(check: CheckedForLive["check"]): Promise<Partial<CheckedForLive>> {
  const answer = await owner.pos("POST", "/till-environment/checks", { to: "live" });
  const found = answer.body.checks.find((one: CheckedForLive) => one.check === check);
  return found ?? NOTHING;
}

async function switchTo(to: "test" | "live"): Promise<void> {
  const { db } = gateway.gateway.context;
  if (to === "live") {
    await writerOf(db).updateTable("shops").set({ till_environment: to }).execute();
  } else await gateway.gateway.context.tillEnvironment.switch(OUTSIDE, to);
}

async function closeShift(shiftId: string): Promise<void> {
  const body = { counted: 0, leaveUnfinished: true };
  const closed = await owner.pos("POST", `/shifts/${shiftId}/close`, body);
  expect(closed.status, JSON.stringify(closed.body)).toBe(200);
}

/** Signs in again, because sessions expire within days. */
async function letPass(ms: number): Promise<void> {
  await gateway.advance(ms);
  owner = await owner.signIn(owner.staffId, OWNER_PIN, { shift: false });
}

beforeAll(async () => {
  gateway = await startTestGateway({ providers: { live: createLiveSimulator(() => gateway) } });
  await giveLiveCatalog(gateway, [TOPUP]);
  await gateway.gateway.context.recharges.recharge(OUTSIDE, 100_000);
  owner = await setUpTill(gateway, { currency: "GTQ", rate: "7.75" });
});
afterAll(async () => {
  await gateway.expectCleanBooks();
  await gateway.close();
});

describe("the environment page of the till", () => {
  it("shows the rate and its reference, but no lines of a previous environment before the first switch", async () => {
    const said = await state();
    expect(said).toMatchObject({
      environment: "test",
      currency: "GTQ",
      walletCurrency: "USD",
      rate: { rate: "7.75", setAt: toTimestamp(gateway.clock.now()), isOld: false },
      left: { environment: "live", total: 0, lines: [] },
    });
    expect(said.since).toBeUndefined();
    expect(said.rate?.reference?.date).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  it("marks an old rate that blocks going live", async () => {
    await letPass(7 * DAY + MINUTE);
    expect((await state()).rate?.isOld).toBe(true);
    await owner.pos("PUT", "/rate", { rate: "7.75" });
    expect((await state()).rate?.isOld).toBe(false);
  });
});

describe("sales in the environment that the shop left", () => {
  beforeAll(async () => {
    await switchTo("live");
    const shiftId = await openShift(owner);
    for (const recipientPhoneNumber of ["+50251234567", DELIVERED_LATE, NEVER_DELIVERED]) {
      const sold = await owner.sell([{ offerId: TOPUP, recipientPhoneNumber }]);
      expect(sold.status, JSON.stringify(sold.body)).toBe(200);
    }
    await gateway.advance(MINUTE);
    await closeShift(shiftId);
    leftAt = gateway.clock.now();
    await switchTo("test");
  });

  it("stay visible with their deadline while unfinished; sales finished before the switch do not appear", async () => {
    const { environment, since, left } = await state();
    expect([environment, since]).toEqual(["test", toTimestamp(leftAt)]);
    expect(left.total).toBe(2);
    expect(left.lines).toHaveLength(2);
    for (const line of left.lines) {
      expect(line).toMatchObject({ environment: "live", outcome: "STILL_SENDING", owed: false });
      expect(Date.parse(line.keepTryingUntil)).toBeGreaterThan(leftAt + 20 * HOUR);
      expect(line.price).toBeGreaterThan(0);
      expect(line.finishedAt).toBeUndefined();
    }
  });

  it("stay visible with their outcome and refunds due", async () => {
    await letPass(2 * HOUR);
    const early = (await state()).left;
    expect(early.total).toBe(1);
    expect(early.lines.map(({ outcome }) => outcome)).toEqual(["STILL_SENDING", "DELIVERED"]);
    await letPass(23 * HOUR);
    const { total, lines } = (await state()).left;
    expect(total).toBe(0);
    expect(lines.map(({ outcome, owed }) => [outcome, owed])).toEqual([
      ["NOT_DELIVERED", true],
      ["DELIVERED", false],
    ]);
    expect(lines.every(({ finishedAt }) => finishedAt !== undefined)).toBe(true);
  });

  it("stay separate from sales in test or in training", async () => {
    await openShift(owner);
    const notPractised = async () => String((await checked("PRACTISED")).figures?.missing);
    expect(await notPractised()).toContain("WAITED");
    await owner.sell([{ offerId: TOPUP, recipientPhoneNumber: NEVER_DELIVERED }]);
    await gateway.settle();
    // A line that is being sent counts as waiting before its second attempt.
    expect(await notPractised()).not.toContain("WAITED");
    expect((await state()).left.lines).toHaveLength(2);
  });

  it("stay in their environment if they are held as baskets, even after the switch", async () => {
    const shown = {
      brand: "TIGO",
      brandName: "Tigo",
      brandColor: "",
      country: "GT",
      title: "25 GTQ",
      recipientFormatted: DELIVERED_LATE,
      price: 1,
      priceCurrency: "GTQ",
      priceCurrencyDivisor: 100,
    };
    const input = { productType: "TOPUP", offerId: TOPUP, recipientPhoneNumber: DELIVERED_LATE };
    const basket = { heldSaleId: randomUUID(), label: "Lady", lines: [{ input, shown }] };
    const held = await owner.pos("POST", "/held-sales", { ...basket, environment: "live" });
    expect(held.status, JSON.stringify(held.body)).toBe(200);
    expect((await owner.pos("GET", "/held-sales")).body.list).toEqual([]);
    await switchTo("live");
    const { list } = (await owner.pos("GET", "/held-sales")).body;
    expect(list.map(({ label }: { label: string }) => label)).toEqual(["Lady"]);
    await switchTo("live");
  });
});

describe("a shop before going live", () => {
  it("receives the missing practice steps as codes, which the till translates", async () => {
    const { figures } = await checked("PRACTISED");
    expect(String(figures?.missing).split(",")).toContain("CUSTOMER_REFUND");
  });

  it("can set and read the live wallet's alert while it sells in test", async () => {
    expect((await state()).alert).toEqual({});
    const alert = { environment: "live", lowAmount: 5_000 };
    expect((await owner.pos("PUT", "/wallet/alert", alert)).status).toBe(200);
    expect((await state()).alert).toEqual({ lowAmount: 5_000 });
    expect(await checked("ALERT_AMOUNT_SET")).toMatchObject({ passed: true });
  });

  it("receives wallet amounts in minor units with their currency", async () => {
    const { figures, message: words } = await checked("WALLET_FUNDED");
    expect(figures).toMatchObject({ currency: "USD", currencyDivisor: 100 });
    expect(words).toBe("");
  });

  it("receives a warning with the names of live keys without address limits, except revoked and test keys", async () => {
    const { keys } = gateway.gateway.context;
    const live = { accountId: "default", environment: "live" } as const;
    for (const { keyId, environment } of await keys.list("default")) {
      if (environment === "live") await keys.revoke({ accountId: "default" }, keyId);
    }
    expect(await checked("KEYS_LIMITED")).toEqual(NOTHING);
    await keys.create(live, "Office", { allowedAddresses: ["10.0.0.0/8"] });
    expect(await checked("KEYS_LIMITED")).toMatchObject({ passed: true, stops: false });
    const { keyId } = await keys.create(live, "Web shop");
    expect(await checked("KEYS_LIMITED")).toMatchObject({
      passed: false,
      figures: { names: "Web shop" },
    });
    await keys.revoke({ accountId: "default" }, keyId);
    expect(await checked("KEYS_LIMITED")).toMatchObject({ passed: true });
  });
});
