import { afterEach, beforeEach, describe, expect, it, type TestContext } from "vitest";
import { FAMILY_FACTS } from "../contract/pos/families.ts";
import { DAY, MINUTE, SECOND } from "../lib/clock.ts";
import { markAskedForADay } from "../testing/asked-for-a-day.ts";
import {
  type Behaviours,
  BLIND_MS,
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

  /** Skips the test if the kind has no such state. */
  function arrange<Name extends keyof Behaviours>(
    { skip }: TestContext,
    name: Name,
    ...values: Parameters<Behaviours[Name]>
  ): void {
    const behave = tested.behaviours[name] as ((...given: typeof values) => void) | undefined;
    if (!behave) return skip(`the fake has no behaviour "${name}"`);
    behave(...values);
  }

  async function buy(transactionId = "sale-1"): Promise<void> {
    const { body, family } = tested.product;
    const path = `/${FAMILY_FACTS[family].path}/purchases`;
    const answer = await tested.till.v1("POST", path, { ...body, transactionId }, "live");
    expect(answer.body).toEqual({ status: "ACCEPTED", transactionId });
    await tested.settle();
  }

  async function readFault(): Promise<string | undefined> {
    const { stored } = await tested.till.gateway.context.upstream.getStatus(OWNER);
    return stored?.fault?.kind;
  }

  async function findOffer() {
    const { accountId, environment } = OWNER;
    const { catalog } = tested.till.gateway.context;
    const { offers } = await catalog.getSnapshot({ accountId, environment });
    const offer = offers.find(({ offerId }) => offerId === tested.product.offerId);
    if (!offer || !("send" in offer)) throw new Error("the offer is not in the catalog");
    return offer;
  }

  async function toOrder(): Promise<Order> {
    const { recipient, amount, cost } = tested.product;
    return {
      accountId: OWNER.accountId,
      environment: OWNER.environment,
      transactionId: "sale-1",
      offer: await findOffer(),
      recipient,
      extras: {},
      send: amount,
      cost,
      acceptedAt: tested.till.clock.now(),
    };
  }

  async function outcome(transactionId = "sale-1") {
    const path = `/${FAMILY_FACTS[tested.product.family].path}/purchases/${transactionId}`;
    const { body } = await tested.till.v1("GET", path, undefined, "live");
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

  it("delivers an order, and reports no fault", async () => {
    await buy();
    await pass(MINUTE);
    expect([await outcome(), await readFault()]).toEqual([DELIVERED, undefined]);
  });

  it("states the amount, the recipient and the transaction id of an order", async (context) => {
    await buy();
    await pass(MINUTE);
    const booked = tested.booked();
    if (!booked) return context.skip("the fake does not store orders");
    const { amount, currency, recipient } = tested.product;
    expect(booked).toEqual([{ reference: "sale-1", recipient, amount, currency }]);
  });

  it("reads the cost and amount of an offer, and the balance", async () => {
    const { cost, send } = await findOffer();
    const { stored } = await tested.till.gateway.context.upstream.getStatus(OWNER);
    const paid = (cost.fixed ?? 0) + cost.fee;
    expect([paid, send.fixed, send.currency, stored?.balance?.available]).toEqual([
      tested.product.cost,
      tested.product.amount,
      tested.product.currency,
      tested.balance,
    ]);
  });

  it("delivers an order a day after its credentials were first used", async () => {
    await tested.provider.inquire(await toOrder(), new AbortController().signal).catch(() => {});
    tested.till.clock.set(tested.till.clock.now() + DAY);
    await tested.settle();
    await buy();
    await pass(MINUTE);
    expect(await outcome()).toEqual(DELIVERED);
  });

  it("delivers an order once if it is submitted twice", async () => {
    const order = await toOrder();
    const { signal } = new AbortController();
    await tested.provider.submit(order, signal);
    const again = await tested.provider.submit(order, signal);
    expect(["fulfilled", "working"]).toContain(again.kind);
    await tested.settle();
    expect(tested.delivered()).toBe(1);
  });

  it("delivers an order once after its connection was cut", async (context) => {
    arrange(context, "cuts");
    await buy();
    await pass(16 * MINUTE);
    expect(await outcome()).toEqual(DELIVERED);
  });

  it("charges nothing for a refused recipient", async (context) => {
    arrange(context, "refuses");
    await buy();
    await pass(MINUTE);
    expect(await outcome()).toEqual(failed("RECIPIENT_INVALID"));
  });

  it("charges nothing if the balance at the provider is short, and notifies the owner", async (context) => {
    arrange(context, "isShort");
    await buy();
    await pass(MINUTE);
    expect(await outcome()).toEqual(failed("INSUFFICIENT_FUNDS"));
    expect(await readFault()).toBe("FUNDS_SHORT");
  });

  it("waits for a slow delivery", async (context) => {
    arrange(context, "isSlow");
    await buy();
    await pass(SECOND);
    expect((await outcome()).status).toBe("IN_PROGRESS");
    await pass(3 * MINUTE);
    expect(await outcome()).toEqual(DELIVERED);
  });

  it.for([200, 400, 404, 502])(
    "finds an order that was answered with a page for people and the status %i",
    async (status, context) => {
      arrange(context, "books", status);
      await buy();
      await pass(16 * MINUTE);
      expect(await outcome()).toEqual(DELIVERED);
    },
  );

  it("finds an order that was refused with an unknown code", async (context) => {
    arrange(context, "invents");
    await buy();
    await pass(16 * MINUTE);
    expect(await outcome()).toEqual(DELIVERED);
  });

  it.for(["MUMBLED", undefined])("decides nothing on the status %s", async (status, context) => {
    arrange(context, "states", status);
    await buy();
    await pass(20 * MINUTE);
    expect(await outcome()).toMatchObject({ status: "IN_PROGRESS" });
    expect(tested.submissions()).toBe(1);
  });

  it.for([200, 404, 502])(
    "decides nothing while inquiries are answered with a page for people and the status %i",
    async (status, context) => {
      arrange(context, "isBlind", status);
      await buy();
      await pass(BLIND_MS - 5 * MINUTE);
      expect(await outcome()).toMatchObject({ status: "IN_PROGRESS" });
      expect(tested.submissions()).toBe(1);
      await pass(30 * MINUTE);
      expect(await outcome()).toEqual(DELIVERED);
    },
  );

  it("finds an order after the gateway was restarted", async (context) => {
    if (tested.behaviours.isBlind) arrange(context, "isBlind", 502);
    else arrange(context, "cuts");
    await buy();
    await pass(MINUTE);
    await tested.till.restart();
    await pass(BLIND_MS + 30 * MINUTE);
    expect(await outcome()).toEqual(DELIVERED);
    expect(tested.submissions()).toBe(1);
  });

  it("takes no other order for its own", async (context) => {
    arrange(context, "mixes");
    await buy();
    await pass(20 * MINUTE);
    expect(await outcome()).toMatchObject({ status: "IN_PROGRESS", delivered: 0 });
  });

  it("notifies the owner if the provider charges another cost", async (context) => {
    arrange(context, "overcharges");
    await buy();
    await pass(MINUTE);
    expect([await outcome(), await readFault()]).toEqual([DELIVERED, "COST_DIFFERS"]);
  });

  it("keeps the outcome open after an unreadable answer without an order", async (context) => {
    arrange(context, "rambles");
    await buy();
    await pass(14 * MINUTE);
    expect((await outcome()).status).toBe("IN_PROGRESS");
    await markAskedForADay(tested.till);
    tested.till.clock.set(tested.till.clock.now() + DAY);
    await pass(31 * MINUTE);
    expect(await outcome()).toEqual(failed("RETRY_WINDOW_EXPIRED"));
  });

  it("never delivers an order twice, even if the provider denies that it has the order", async (context) => {
    arrange(context, "forgets");
    await buy();
    await pass(20 * MINUTE);
    const { inquiry = "by-key" } = tested.provider;
    // Only an inquiry by key proves that the order was not received.
    const expected = inquiry === "by-key" ? DELIVERED : { ...DELIVERED, status: "IN_PROGRESS" };
    expect(await outcome()).toEqual(expected);
  });

  it.for(["seconds", "a date"] as const)(
    "receives no submission between status 429 and the end of Retry-After in %s",
    async (form, context) => {
      await tested.settle();
      const endsAt = tested.till.clock.now() + 30 * SECOND;
      arrange(context, "isBusy", form === "seconds" ? "30" : new Date(endsAt).toUTCString());
      await buy();
      const received = tested.submissions();
      await buy("sale-2");
      await pass(29 * SECOND);
      expect([tested.submissions(), tested.delivered()]).toEqual([received, 0]);
      expect(await outcome("sale-2")).toMatchObject({ status: "IN_PROGRESS" });
      await pass(MINUTE);
      expect(await outcome("sale-2")).toMatchObject({ status: "DONE", isCharged: true });
    },
  );

  it("charges nothing if the provider's catalog changed before the sale", async (context) => {
    arrange(context, "reprices");
    await buy();
    await pass(MINUTE);
    expect(await outcome()).toEqual(failed("PRICE_CHANGED"));
  });
});
