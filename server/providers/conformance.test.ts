import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DAY, MINUTE, SECOND } from "../lib/clock.ts";
import { markAskedForADay } from "../testing/asked-for-a-day.ts";
import {
  type Behaviours,
  OWNER,
  PROVIDERS_UNDER_TEST,
  type ProviderUnderTest,
} from "../testing/providers-under-test.ts";
import type { Order } from "./provider.ts";

/**
 * The contract of every kind of provider, on the kind's own fake: an order is delivered at most
 * once, a sale is DONE only if it was delivered, and money is captured or released once.
 */
describe.each(Object.entries(PROVIDERS_UNDER_TEST))("the provider kind %s", (_, start) => {
  let tested: ProviderUnderTest;
  let before: number;

  beforeEach(async () => {
    tested = await start();
    before = await available();
  });
  afterEach(async () => {
    await tested.settle();
    await tested.till.expectCleanBooks();
    await tested.close();
  });

  async function available(): Promise<number> {
    return (await tested.till.v1("GET", "/balance", undefined, "live")).body.availableBalance;
  }

  async function pass(milliseconds: number): Promise<void> {
    const { clock } = tested.till;
    const target = clock.now() + milliseconds;
    for (;;) {
      await tested.settle();
      const next = clock.nextTimer();
      if (next === undefined || next > target) break;
      clock.set(Math.max(next, clock.now()));
    }
    clock.set(target);
    await tested.settle();
  }

  /** @returns false if the fake cannot behave so, because the kind has no such state */
  function arrange(behaviour: keyof Behaviours): boolean {
    tested.behaviours[behaviour]?.();
    return tested.behaviours[behaviour] !== undefined;
  }

  async function buy(): Promise<void> {
    const body = {
      offerId: tested.offerId,
      transactionId: "sale-1",
      recipientPhoneNumber: "+50251234567",
    };
    const answer = await tested.till.v1("POST", "/topups/purchases", body, "live");
    expect(answer.body).toEqual({ status: "ACCEPTED", transactionId: "sale-1" });
    await tested.settle();
  }

  async function outcome() {
    const { body } = await tested.till.v1("GET", "/topups/purchases/sale-1", undefined, "live");
    const isCharged = (await available()) < before;
    return {
      status: body.status,
      code: body.error?.code,
      delivered: tested.delivered(),
      isCharged,
    };
  }

  const DELIVERED = { status: "DONE", code: undefined, delivered: 1, isCharged: true };
  const failed = (code: string) => ({ status: "FAILED", code, delivered: 0, isCharged: false });

  it("delivers an order", async () => {
    await buy();
    await pass(MINUTE);
    expect(await outcome()).toEqual(DELIVERED);
  });

  it("delivers an order once if it is submitted twice", async () => {
    const { catalog } = tested.till.gateway.context;
    const scope = { accountId: OWNER.accountId, environment: OWNER.environment };
    const snapshot = await catalog.getSnapshot(scope);
    const offer = snapshot.offers.find(({ offerId }) => offerId === tested.offerId);
    if (!offer || !("send" in offer)) throw new Error("the offer is not in the catalog");
    const order: Order = {
      ...scope,
      transactionId: "sale-1",
      offer,
      recipient: "+50251234567",
      extras: {},
      send: offer.send.fixed ?? 0,
      cost: offer.cost.fixed ?? 0,
      acceptedAt: tested.till.clock.now(),
    };
    const { signal } = new AbortController();
    await tested.provider.submit(order, signal);
    const again = await tested.provider.submit(order, signal);
    expect(["fulfilled", "working"]).toContain(again.kind);
    await tested.settle();
    expect(tested.delivered()).toBe(1);
  });

  it("delivers an order once after its connection was cut", async () => {
    arrange("cuts");
    await buy();
    await pass(16 * MINUTE);
    expect(await outcome()).toEqual(DELIVERED);
  });

  it("charges nothing for a refused recipient", async () => {
    arrange("refuses");
    await buy();
    await pass(MINUTE);
    expect(await outcome()).toEqual(failed("RECIPIENT_INVALID"));
  });

  it("charges nothing if the balance at the provider is short, and notifies the owner", async () => {
    if (!arrange("isShort")) return;
    await buy();
    await pass(MINUTE);
    expect(await outcome()).toEqual(failed("PROVIDER_REJECTED"));
    const { stored } = await tested.till.gateway.context.upstream.getStatus(OWNER);
    expect(stored?.fault?.kind).toBe("FUNDS_SHORT");
  });

  it("waits for a slow delivery", async () => {
    arrange("isSlow");
    await buy();
    await pass(SECOND);
    expect((await outcome()).status).toBe("IN_PROGRESS");
    await pass(3 * MINUTE);
    expect(await outcome()).toEqual(DELIVERED);
  });

  it("finds an order whose answer was unreadable", async () => {
    if (!arrange("books")) return;
    await buy();
    await pass(16 * MINUTE);
    expect(await outcome()).toEqual(DELIVERED);
  });

  it("keeps the outcome open after an unreadable answer without an order", async () => {
    if (!arrange("rambles")) return;
    await buy();
    await pass(14 * MINUTE);
    expect((await outcome()).status).toBe("IN_PROGRESS");
    await markAskedForADay(tested.till);
    tested.till.clock.set(tested.till.clock.now() + DAY);
    await pass(31 * MINUTE);
    expect(await outcome()).toEqual(failed("RETRY_WINDOW_EXPIRED"));
  });

  it("never delivers an order twice, even if the provider denies that it has the order", async () => {
    if (!arrange("forgets")) return;
    await buy();
    await pass(20 * MINUTE);
    const { inquiry } = tested.provider.capabilities ?? {};
    // Only an inquiry by key proves that the order was not received.
    const expected = inquiry === "by-key" ? DELIVERED : { ...DELIVERED, status: "IN_PROGRESS" };
    expect(await outcome()).toEqual(expected);
  });

  it("charges nothing if the provider's catalog changed before the sale", async () => {
    arrange("reprices");
    await buy();
    await pass(MINUTE);
    expect(await outcome()).toEqual(failed("PRICE_CHANGED"));
  });

  it("has exactly the operations of its capabilities", () => {
    const { capabilities, refund, readEsim, findBill } = tested.provider;
    expect(capabilities).toMatchObject({
      refunds: refund !== undefined,
      esimPlans: readEsim !== undefined,
      bills: findBill !== undefined,
    });
    expect(capabilities?.families).toContain("TOPUP");
  });
});
