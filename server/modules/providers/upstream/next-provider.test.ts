import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { PriceTax } from "../../../contract/pos/prices.ts";
import type { LogItem } from "../../../contract/v1/purchase-record.ts";
import { closeNextDay } from "../../../db/figure-sums.ts";
import { HOUR, MINUTE, SECOND } from "../../../lib/clock.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import type { Behaviour } from "../../../testing/fake-upstream.ts";
import { OWNER } from "../../../testing/providers-under-test.ts";
import {
  acceptAt,
  COSTS,
  SHARED_OFFER,
  type ShopOfThree,
  startShopOfThree,
} from "../../../testing/shop-of-three.ts";
import { OWNER_PIN, openShift, setUpTill, type TestTill } from "../../../testing/test-till.ts";
import { doubtUnfinished } from "../../purchases/purchases/index.ts";

let shop: ShopOfThree;

beforeEach(async () => {
  shop = await startShopOfThree();
});
afterEach(async () => {
  await shop.settle();
  await shop.till.expectCleanBooks();
  await shop.close();
});

async function order(transactionId: string) {
  const body = {
    offerId: SHARED_OFFER,
    transactionId,
    recipientPhoneNumber: "+50251234567",
  };
  const answer = await shop.till.v1("POST", "/topups/purchases", body, "live");
  expect(answer.body).toEqual({ status: "ACCEPTED", transactionId });
  await shop.settle();
  // A provider with /v1 is asked for the outcome after a second.
  await shop.till.advance(2 * SECOND);
  await shop.settle();
  return read(transactionId);
}

async function read(transactionId: string) {
  return (await shop.till.v1("GET", `/topups/purchases/${transactionId}`, undefined, "live")).body;
}

async function sellLive(): Promise<void> {
  const { db } = shop.till.gateway.context;
  await sql`update shops set till_environment = 'live'`.execute(writerOf(db));
}

function refuse(errorCode: string): Behaviour {
  return ({ reply }) => reply(400, { errorCode, message: "No.", fields: {} });
}

/** Accepts the purchase, and states later that it failed. */
function failLater(code: string): Behaviour {
  return (exchange) => {
    const error = { code, message: "No." };
    const { transactionId } = exchange.body;
    Object.assign(exchange.accept(), { status: "FAILED", error });
    exchange.reply(200, { status: "ACCEPTED", transactionId });
  };
}

async function listPostings(transactionId: string): Promise<string[]> {
  const rows = await shop.till.gateway.context.db
    .selectFrom("ledger_postings")
    .select(["kind", "amount", "leg"])
    .where("transaction_id", "=", transactionId)
    .orderBy("posting_id")
    .execute();
  return rows.map(({ kind, amount, leg }) => `${kind} ${amount} in ${leg}`);
}

const soldBy = () => [shop.first, shop.p2, shop.p3].map(({ books }) => books.size);

const NO_TAX: PriceTax = { kind: "NONE", percent: "0" };

/** Sets prices at a percentage above the cost, with a floor at the cost. */
async function setMarkup(percent: string, tax = NO_TAX): Promise<TestTill> {
  const owner = await setUpTill(shop.till);
  const rule = { ruleId: "all", enabled: true, target: { brand: "RLD-88" }, class: "STANDARD" };
  const how = { channel: "ANY", basis: "COST", how: "MARKUP", percent };
  const taxes = { TOPUP: tax, VOUCHER: tax, ESIM: tax, BILL_PAY: tax };
  const floor = { aboveCostPercent: "0" };
  const rest = { fxBufferPercent: "0", driftAlertPercent: "2", taxes, floor };
  const list = { rules: [{ ...rule, ...how }], ...rest };
  const { newest } = (await owner.pos("GET", "/prices/live")).body;
  const saved = await owner.pos("PUT", "/prices/live", { list, base: newest });
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
  return owner;
}

describe("a purchase at a provider that requests a pause", () => {
  it("moves to the next provider and is not sent, unless its own outcome is unknown", async () => {
    shop.p2.submit = ({ response }) => {
      response.writeHead(429, { "retry-after": "30" }).end("{}");
    };
    expect((await order("sale-1")).status).toBe("IN_PROGRESS");
    expect(await order("sale-2")).toMatchObject({ status: "DONE", cost: COSTS.p3 });
    expect((await read("sale-1")).status).toBe("IN_PROGRESS");
    expect([...shop.p2.submissions]).toEqual([["sale-1", 1]]);
  });

  it("waits in the database without another provider, and is sent after the pause", async () => {
    const { upstream } = shop.till.gateway.context;
    for (const providerId of ["first", "p3"]) await upstream.pause({ ...OWNER, providerId }, true);
    shop.p2.submit = ({ response }) => {
      response.writeHead(429, { "retry-after": "30" }).end("{}");
    };
    await order("sale-1");
    const { log } = await order("sale-2");
    expect(log.at(-1)?.statusMessage).toMatch(
      /^Attempt 1 failed: the provider was not reached: It takes no more requests for now; /,
    );
    shop.p2.submit = (exchange) => acceptAt(exchange, COSTS.p2);
    await shop.till.restart();
    await shop.till.advance(MINUTE);
    await shop.settle();
    await shop.till.advance(2 * SECOND);
    await shop.settle();
    expect([(await read("sale-1")).status, (await read("sale-2")).status]).toEqual([
      "DONE",
      "DONE",
    ]);
    expect([...shop.p2.submissions]).toEqual([
      ["sale-1", 2],
      ["sale-2", 1],
    ]);
  });
});

describe("a purchase that its provider refuses", () => {
  it.each([
    ["lacks money", "INSUFFICIENT_FUNDS"],
    ["does not sell the product", "OFFER_NOT_FOUND"],
    ["has no provider itself", "PROVIDER_NOT_CONFIGURED"],
  ])("moves to the next provider if the provider %s", async (_, errorCode) => {
    shop.p2.submit = refuse(errorCode);
    const sold = await order("sale-1");
    expect(sold).toMatchObject({ status: "DONE", cost: COSTS.p3 });
    expect(soldBy()).toEqual([0, 0, 1]);
    expect(await listPostings("sale-1")).toEqual([
      "HOLD 450 in 1",
      "RELEASE 450 in 1",
      "HOLD 460 in 2",
      "CAPTURE 460 in 2",
    ]);
  });

  it("keeps its price, and states each step in its log", async () => {
    const before = await order("before");
    shop.p2.submit = refuse("INSUFFICIENT_FUNDS");
    const sold = await order("sale-1");
    const { price, priceBase, priceFee } = before;
    expect(sold).toMatchObject({ price, priceBase, priceFee });
    const { body } = await shop.till.v1("GET", "/transactions/sale-1", undefined, "live");
    expect(body.log.map((item: LogItem) => item.statusMessage)).toEqual([
      "Transaction accepted",
      "Wallet authorized",
      "Submitted for fulfillment",
      "The balance at North does not cover the cost. The provider refused: No; moved to South",
      "Completed",
    ]);
    const owner = await setUpTill(shop.till);
    await sellLive();
    const { timeline } = (await owner.pos("GET", "/transactions/sale-1")).body;
    expect(timeline.slice(-3)).toMatchObject([
      { what: "STATE", status: "IN_PROGRESS" },
      {
        what: "MOVED",
        provider: "South",
        text: "The balance at North does not cover the cost. The provider refused: No",
      },
      { what: "STATE", status: "DONE" },
    ]);
  });

  it("moves if the provider's record says that the accepted order failed", async () => {
    shop.p2.submit = failLater("PROVIDER_REJECTED");
    expect(await order("sale-1")).toMatchObject({
      status: "FAILED",
      error: { code: "PROVIDER_REJECTED" },
    });
    shop.p2.submit = failLater("INSUFFICIENT_FUNDS");
    expect(await order("sale-2")).toMatchObject({ status: "DONE", cost: COSTS.p3 });
    expect(soldBy()).toEqual([0, 2, 1]);
  });

  it("moves twice, and fails with the last refusal if no provider sells it", async () => {
    shop.p2.submit = refuse("OFFER_DISABLED");
    shop.p3.submit = refuse("OFFER_DISABLED");
    expect(await order("sale-1")).toMatchObject({ status: "DONE", cost: COSTS.first });
    shop.first.interfere = ({ path, refuse: say }) => {
      if (path === "/topups") say(400, "INVALID_AMOUNT");
      return path === "/topups";
    };
    const failed = await order("sale-2");
    expect(failed).toMatchObject({ status: "FAILED", error: { code: "PRICE_CHANGED" } });
    expect(soldBy()).toEqual([1, 0, 0]);
    expect((await listPostings("sale-2")).at(-1)).toBe("RELEASE 478 in 3");
  });

  it("names the provider whose balance is short in the record, and to the clerk", async () => {
    const owner = await setUpTill(shop.till);
    await sellLive();
    await openShift(owner);
    await shop.till.gateway.context.upstream.disconnect({ ...OWNER, providerId: "first" });
    shop.p2.submit = refuse("OFFER_DISABLED");
    shop.p3.submit = refuse("INSUFFICIENT_FUNDS");
    const line = { offerId: SHARED_OFFER, recipientPhoneNumber: "+50251234567" };
    const { body } = await owner.sell([line]);
    await shop.settle();
    await shop.till.advance(2 * SECOND);
    await shop.settle();
    const [sold] = (await owner.pos("GET", `/sales/${body.saleId}`)).body.lines;
    const message = "The balance at South does not cover the cost. The provider refused: No.";
    expect(sold.failure).toMatchObject({
      code: "INSUFFICIENT_FUNDS",
      provider: "South",
      message,
    });
    const { error } = await read(sold.transactionId);
    const description =
      "The balance at the provider does not cover the cost. The hold was released.";
    expect(error).toEqual({ code: "INSUFFICIENT_FUNDS", message, description });
  });

  it("stays with its provider if the recipient is the cause", async () => {
    const fields = { recipientPhoneNumber: "must be a number" };
    shop.p2.submit = ({ reply }) =>
      reply(400, { errorCode: "INVALID_REQUEST", message: "No.", fields });
    const failed = await order("sale-1");
    expect(failed).toMatchObject({ status: "FAILED", error: { code: "RECIPIENT_INVALID" } });
    expect(soldBy()).toEqual([0, 0, 0]);
  });

  it.each<[string, Behaviour]>([
    [
      "the connection is lost after the provider booked it",
      (exchange) => {
        exchange.accept();
        exchange.request.socket.destroy();
      },
    ],
    ["the connection is lost before", ({ request }) => void request.socket.destroy()],
    ["a proxy answers", ({ response }) => void response.writeHead(502).end("<html>")],
    ["the provider is busy", ({ response }) => void response.writeHead(429).end()],
  ])("never moves while its outcome is unknown: %s", async (_, submit) => {
    shop.p2.submit = submit;
    shop.p2.ask = ({ response }) => void response.writeHead(500).end();
    expect((await order("sale-1")).status).toBe("IN_PROGRESS");
    // The refusal of a later attempt does not prove that the first one was lost.
    shop.p2.submit = refuse("INSUFFICIENT_FUNDS");
    await shop.till.advance(40 * MINUTE);
    await shop.settle();
    expect(soldBy().filter((_, index) => index !== 1)).toEqual([0, 0]);
    expect((await read("sale-1")).status).toBe("IN_PROGRESS");
  });

  it.each<[string, Behaviour]>([
    ["a page with status 403", ({ response }) => void response.writeHead(403).end("<html>")],
    ["a page with status 401", ({ response }) => void response.writeHead(401).end("<html>")],
    [
      "status 500 with the code FORBIDDEN",
      ({ reply }) => reply(500, { errorCode: "FORBIDDEN", message: "No.", fields: {} }),
    ],
    [
      "status 500 with the code NOT_FOUND",
      ({ reply }) => reply(500, { errorCode: "NOT_FOUND", message: "No.", fields: {} }),
    ],
  ])(
    "stays with its provider if a proxy answers the booked purchase with %s",
    async (_, answer) => {
      shop.p2.submit = (exchange) => {
        Object.assign(exchange.accept(), { cost: COSTS.p2 });
        answer(exchange);
      };
      expect((await order("sale-1")).status).toBe("IN_PROGRESS");
      await shop.till.advance(16 * MINUTE);
      await shop.settle();
      expect(await read("sale-1")).toMatchObject({ status: "DONE", cost: COSTS.p2 });
      expect(soldBy()).toEqual([0, 1, 0]);
      expect(shop.p2.submissions.get("sale-1")).toBe(1);
    },
  );

  it("stays with Reloadly if a proxy answers the booked top-up with a page with status 401", async () => {
    await shop.till.gateway.context.providerOrders.setOrder(OWNER, {}, ["first"]);
    let isBooked = false;
    shop.first.interfere = ({ path, accept, response }) => {
      if (path === "/topups") accept();
      isBooked ||= path === "/topups";
      if (!isBooked) return false;
      response.writeHead(401).end("<html>");
      return true;
    };
    expect((await order("sale-1")).status).toBe("IN_PROGRESS");
    shop.first.interfere = () => false;
    await shop.till.advance(16 * MINUTE);
    await shop.settle();
    expect(await read("sale-1")).toMatchObject({ status: "DONE", cost: COSTS.first });
    expect(soldBy()).toEqual([1, 0, 0]);
  });

  it("moves if its provider states that it refuses the key", async () => {
    shop.p2.submit = ({ reply }) =>
      reply(403, { errorCode: "FORBIDDEN", message: "No.", fields: {} });
    expect(await order("sale-1")).toMatchObject({ status: "DONE", cost: COSTS.p3 });
    expect(soldBy()).toEqual([0, 0, 1]);
  });

  it("moves if its provider cannot be reached and another one can", async () => {
    await shop.p2.down();
    expect(await order("sale-1")).toMatchObject({ status: "DONE", cost: COSTS.p3 });
    await shop.p3.down();
    await shop.first.close();
    expect((await order("sale-2")).status).toBe("IN_PROGRESS");
    expect(await listPostings("sale-2")).toEqual(["HOLD 450 in 1"]);
    await shop.p2.up();
    await shop.till.advance(20 * MINUTE);
    await shop.settle();
    expect(await read("sale-2")).toMatchObject({ status: "DONE", cost: COSTS.p2 });
  });

  it("keeps to the owner's order, pauses and switched-off providers", async () => {
    const { providerOrders, upstream } = shop.till.gateway.context;
    await providerOrders.setOrder(OWNER, {}, ["p2", "first"]);
    shop.p2.submit = refuse("OFFER_DISABLED");
    expect(await order("sale-1")).toMatchObject({ status: "DONE", cost: COSTS.first });
    await upstream.pause({ ...OWNER, providerId: "first" }, true);
    expect(await order("sale-2")).toMatchObject({ status: "DONE", cost: COSTS.p3 });
    await upstream.pause({ ...OWNER, providerId: "p3" }, true);
    expect((await order("sale-3")).status).toBe("FAILED");
  });

  it("does not move to a provider that is paused during the move", async () => {
    const { upstream } = shop.till.gateway.context;
    await shop.p2.down();
    const { ask } = shop.p3;
    shop.p3.ask = (exchange) => {
      shop.p3.ask = ask;
      void upstream.pause({ ...OWNER, providerId: "p3" }, true).then(() => ask(exchange));
    };
    expect(await order("sale-1")).toMatchObject({ status: "DONE", cost: COSTS.first });
    expect(soldBy()).toEqual([1, 0, 0]);
  });

  it("moves at its next attempt if its provider was disconnected", async () => {
    const { upstream } = shop.till.gateway.context;
    shop.p2.submit = ({ reply }) =>
      reply(404, { errorCode: "NOT_FOUND", message: "No.", fields: {} });
    expect((await order("sale-1")).status).toBe("IN_PROGRESS");
    await upstream.disconnect({ ...OWNER, providerId: "p2" });
    await shop.till.advance(16 * MINUTE);
    await shop.settle();
    expect(await read("sale-1")).toMatchObject({ status: "DONE", cost: COSTS.p3 });
    expect(soldBy()).toEqual([0, 0, 1]);
  });

  it("counts for each provider that it was sent to, with the time that it took there", async () => {
    shop.p2.submit = ({ reply }) =>
      reply(404, { errorCode: "NOT_FOUND", message: "No.", fields: {} });
    expect((await order("sale-1")).status).toBe("IN_PROGRESS");
    shop.p2.submit = refuse("OFFER_DISABLED");
    await shop.till.advance(16 * MINUTE);
    await shop.settle();
    expect(await read("sale-1")).toMatchObject({ status: "DONE", cost: COSTS.p3 });
    const owner = await setUpTill(shop.till);
    const { list } = (await owner.pos("GET", "/providers")).body;
    const [first, north, south] = list.map((one: { health: object }) => one.health);
    expect(first).toEqual({ purchases: 0, delivered: 0, unknown: 0 });
    expect(north).toMatchObject({ purchases: 1, delivered: 0 });
    expect(Math.floor(north.p50_ms / MINUTE)).toBe(15);
    expect(south).toMatchObject({ purchases: 1, delivered: 1 });
    expect(south.p50_ms).toBeLessThan(MINUTE);
  });

  it("moves after a pause of its brand if its provider was disconnected", async () => {
    const owner = await setUpTill(shop.till);
    const path = "/brands/RLD-88/pause?environment=live";
    expect((await owner.pos("PUT", path)).status).toBe(200);
    expect((await order("sale-1")).status).toBe("PENDING");
    await shop.till.gateway.context.upstream.disconnect({ ...OWNER, providerId: "p2" });
    expect((await owner.pos("DELETE", path)).status).toBe(200);
    await shop.till.advance(2 * SECOND);
    await shop.settle();
    await shop.till.advance(2 * SECOND);
    await shop.settle();
    expect(await read("sale-1")).toMatchObject({ status: "DONE", cost: COSTS.p3 });
    expect(soldBy()).toEqual([0, 0, 1]);
  });

  it("waits for a reconnection if no other provider sells the product", async () => {
    const { upstream } = shop.till.gateway.context;
    shop.p2.submit = ({ reply }) =>
      reply(404, { errorCode: "NOT_FOUND", message: "No.", fields: {} });
    expect((await order("sale-1")).status).toBe("IN_PROGRESS");
    for (const providerId of ["p3", "first"]) await upstream.pause({ ...OWNER, providerId }, true);
    await upstream.disconnect({ ...OWNER, providerId: "p2" });
    await shop.till.advance(16 * MINUTE);
    await shop.settle();
    const { status, log } = await read("sale-1");
    expect(status).toBe("IN_PROGRESS");
    expect(log.at(-1).statusMessage).toMatch("Attempt 2 failed: the provider is not connected");
    await upstream.pause({ ...OWNER, providerId: "p3" }, false);
    await shop.till.advance(16 * MINUTE);
    await shop.settle();
    expect(await read("sale-1")).toMatchObject({ status: "DONE", cost: COSTS.p3 });
  });

  it("stays with its provider if the buyer chose that provider's own offer", async () => {
    shop.p3.submit = refuse("OFFER_DISABLED");
    const body = {
      offerId: `${SHARED_OFFER}:p3`,
      transactionId: "sale-1",
      recipientPhoneNumber: "+50251234567",
    };
    await shop.till.v1("POST", "/topups/purchases", body, "live");
    await shop.settle();
    expect((await read("sale-1")).status).toBe("FAILED");
    expect(soldBy()).toEqual([0, 0, 0]);
  });

  it("does not move if the wallet lacks the cost of the next provider", async () => {
    const { context } = shop.till.gateway;
    const { available } = await context.wallet.getBalances(OWNER);
    await context.recharges.recharge(OWNER, COSTS.p2 - available);
    shop.p2.submit = refuse("OFFER_DISABLED");
    expect(await order("sale-1")).toMatchObject({ status: "FAILED", cost: COSTS.p2 });
    expect(await listPostings("sale-1")).toEqual(["HOLD 450 in 1", "RELEASE 450 in 1"]);
  });

  it("ignores late answers of the provider that refused it", async () => {
    shop.p2.submit = refuse("OFFER_DISABLED");
    shop.p3.submit = (exchange) => exchange.hang();
    const body = {
      offerId: SHARED_OFFER,
      transactionId: "sale-1",
      recipientPhoneNumber: "+50251234567",
    };
    await shop.till.v1("POST", "/topups/purchases", body, "live");
    await shop.p3.stuck();
    shop.p2.books.set("sale-1", { transactionId: "sale-1", status: "DONE" });
    await shop.till.advance(31 * SECOND);
    const asked = shop.p2.questions.length;
    shop.p3.submit = (exchange) => acceptAt(exchange, COSTS.p3);
    await shop.till.advance(20 * MINUTE);
    await shop.settle();
    expect(shop.p2.questions).toHaveLength(asked);
    expect(await read("sale-1")).toMatchObject({ status: "DONE", cost: COSTS.p3 });
    expect(soldBy()).toEqual([0, 1, 1]);
  });

  it("fails and is flagged after a restore, and is not sent again", async () => {
    const { ask, submit } = shop.p2;
    shop.p2.submit = ({ request }) => void request.socket.destroy();
    shop.p2.ask = ({ response }) => void response.writeHead(500).end();
    expect((await order("sale-1")).status).toBe("IN_PROGRESS");
    const { transactor, db } = shop.till.gateway.context;
    await transactor.transact(OWNER.accountId, (tx) => doubtUnfinished(tx));
    Object.assign(shop.p2, { ask, submit });
    await shop.till.advance(20 * MINUTE);
    await shop.settle();
    expect((await read("sale-1")).status).toBe("FAILED");
    const { needs_reconciliation } = await db
      .selectFrom("transactions")
      .select("needs_reconciliation")
      .where("transaction_id", "=", "sale-1")
      .executeTakeFirstOrThrow();
    expect(needs_reconciliation).toBe(1);
    expect(soldBy()).toEqual([0, 0, 0]);
  });

  it.each([
    ["1", []],
    ["3", ["p3"]],
  ])(
    "moves only to providers whose cost keeps the floor, with a markup of %s %%",
    async (percent, sellers) => {
      await setMarkup(percent);
      shop.p2.submit = refuse("OFFER_DISABLED");
      const sold = await order("sale-1");
      expect(sold.status).toBe(sellers.length > 0 ? "DONE" : "FAILED");
      shop.p3.submit = refuse("OFFER_DISABLED");
      expect((await order("sale-2")).status).toBe("FAILED");
      expect(soldBy()).toEqual([0, 0, sellers.length]);
    },
  );

  it.each([
    ["dearer", "p2", "p3"],
    ["cheaper", "p3", "p2"],
  ] as const)("keeps its tax on the margin if it moves to a %s provider", async (_, from, to) => {
    const owner = await setMarkup("10", { kind: "ON_MARGIN", percent: "20" });
    await sellLive();
    await openShift(owner);
    await shop.till.gateway.context.providerOrders.setOrder(OWNER, {}, [from, to]);
    shop[from].submit = refuse("OFFER_DISABLED");
    const line = { offerId: SHARED_OFFER, recipientPhoneNumber: "+50251234567" };
    const sold = await owner.sell([line]);
    expect(sold.status, JSON.stringify(sold.body)).toBe(200);
    await shop.till.advance(2 * SECOND);
    await shop.settle();
    const { price, tax, cost } = await shop.till.gateway.context.db
      .selectFrom("sale_lines")
      .select(["price", "tax", "cost"])
      .executeTakeFirstOrThrow();
    expect(cost).toBe(COSTS[to]);
    expect(tax).toBe(Math.round((price - COSTS[from]) / 6));
    expect(tax).not.toBe(Math.round((price - COSTS[to]) / 6));
  });

  it("changes the cost of its sale in a closed day, whose figures are recounted once", async () => {
    const owner = await setUpTill(shop.till, { currency: "GTQ", rate: "7.75" });
    await sellLive();
    await openShift(owner);
    let isOver = false;
    const error = { code: "PRICE_CHANGED", message: "No." };
    const state = () => (isOver ? { status: "FAILED", error } : { status: "IN_PROGRESS" });
    shop.p2.ask = ({ body: { transactionId }, reply }) => reply(200, { transactionId, ...state() });
    const line = { offerId: SHARED_OFFER, recipientPhoneNumber: "+50251234567" };
    const sold = await owner.sell([line, line]);
    expect(sold.status, JSON.stringify(sold.body)).toBe(200);
    const readParts = async () => {
      const reader = await owner.signIn(owner.staffId, OWNER_PIN, { shift: false });
      const day = "firstDay=2026-01-15&lastDay=2026-01-15";
      return (await reader.pos("GET", `/figures/parts?by=PROVIDER&${day}`)).body.list;
    };
    await shop.till.advance(15 * HOUR);
    await shop.till.gateway.context.upstream.pause({ ...OWNER, providerId: "p2" }, true);
    expect((await order("next-day")).status).toBe("DONE");
    const { transactor, db } = shop.till.gateway.context;
    const close = () => transactor.transact(OWNER.accountId, (tx) => closeNextDay(tx, OWNER));
    const readStored = () =>
      db
        .selectFrom("day_figures")
        .select(["value", "cost", "wallet_cost"])
        .where("environment", "=", "live")
        .where("dimension", "=", "BRAND")
        .execute();
    // Counted from rows, whose cost may still change.
    expect(await readParts()).toMatchObject([{ figures: { lines: 2, cost: 6_976 } }]);
    expect([await close(), await close()]).toEqual([true, false]);
    expect(await readStored()).toEqual([{ value: "RLD-88\np2", cost: 6_976, wallet_cost: 900 }]);
    isOver = true;
    await shop.till.advance(16 * MINUTE);
    await shop.settle();
    // No move recounts the day.
    expect(await readStored()).toEqual([]);
    await shop.till.expectCleanBooks();
    expect(await readParts()).toMatchObject([
      { name: "South", figures: { lines: 2, cost: 7_130 } },
    ]);
    expect([await close(), await close()]).toEqual([true, false]);
    expect(await readStored()).toEqual([{ value: "RLD-88\np3", cost: 7_130, wallet_cost: 920 }]);
  });
});

/** Books the purchase at the second provider, as if it had been sent after a backup. */
function acceptBefore({ p2 }: ShopOfThree, transactionId: string): void {
  const times = { createdAt: new Date(0).toISOString(), updatedAt: new Date(0).toISOString() };
  const record = { transactionId, status: "DONE", cost: COSTS.p2, costCurrency: "USD", log: [] };
  const confirmation = { confirmationNumber: "C-1", externalReferenceId: "X-1" };
  p2.books.set(transactionId, { ...record, ...times, confirmation });
}

describe("a purchase that exceeds the balance that its provider states", () => {
  beforeEach(async () => {
    // The first provider states its balance anew, now that it is one of several.
    await shop.till.gateway.context.upstream.test({ ...OWNER, providerId: "first" });
  });

  const state = (seller: "p2" | "p3", availableBalance: number) => {
    shop[seller].balance = { availableBalance, currency: "USD", currencyDivisor: 100 };
    return shop.till.gateway.context.upstream.test({ ...OWNER, providerId: seller });
  };

  async function listParts(): Promise<Record<string, number>> {
    const rows = await shop.till.gateway.context.db
      .selectFrom("ledger_accounts")
      .select(["name", "balance"])
      .where("name", "like", "wallet.at.%")
      .execute();
    return Object.fromEntries(rows.map(({ name, balance }) => [name.slice(10), balance]));
  }

  it("starts at the next provider, is never sent to its own, and states the reason", async () => {
    await state("p2", COSTS.p2 - 1);
    const before = await listParts();
    expect(await order("sale-1")).toMatchObject({ status: "DONE", cost: COSTS.p3 });
    expect(soldBy()).toEqual([0, 0, 1]);
    expect(shop.p2.submissions.size).toBe(0);
    expect(await listPostings("sale-1")).toEqual(["HOLD 460 in 1", "CAPTURE 460 in 1"]);
    expect(await listParts()).toEqual({ ...before, p3: (before.p3 ?? 0) - COSTS.p3 });
    const holdOf = async (id: string) => {
      const { log } = (await shop.till.v1("GET", `/transactions/${id}`, undefined, "live")).body;
      return log[1].statusMessage;
    };
    const reason = "The balance at North does not cover the cost; moved to South";
    expect(await holdOf("sale-1")).toBe(`${reason}. Wallet authorized`);
    const owner = await setUpTill(shop.till);
    await sellLive();
    const { timeline } = (await owner.pos("GET", "/transactions/sale-1")).body;
    expect(timeline.slice(1, 3)).toMatchObject([
      { what: "MOVED", provider: "South", text: "The balance at North does not cover the cost" },
      { what: "STATE", status: "AUTHORIZED" },
    ]);
    // The next sale goes to the other provider at once.
    expect(await order("sale-2")).toMatchObject({ status: "DONE", cost: COSTS.p3 });
    expect(await holdOf("sale-2")).toBe("Wallet authorized");
  });

  it("stays with its provider if the owner paid the provider since the last reading", async () => {
    await state("p2", COSTS.p2 - 1);
    shop.p2.balance = { availableBalance: COSTS.p2, currency: "USD", currencyDivisor: 100 };
    expect(await order("sale-1")).toMatchObject({ status: "DONE", cost: COSTS.p2 });
    expect((await listParts()).p2).toBe(0);
  });

  it("moves to a provider that the owner paid since the last reading", async () => {
    await shop.till.gateway.context.upstream.disconnect({ ...OWNER, providerId: "first" });
    await state("p3", COSTS.p3 - 1);
    shop.p3.balance = { availableBalance: COSTS.p3, currency: "USD", currencyDivisor: 100 };
    shop.p2.submit = refuse("OFFER_DISABLED");
    expect(await order("sale-1")).toMatchObject({ status: "DONE", cost: COSTS.p3 });
    await state("p3", COSTS.p3 - 1);
    expect((await order("sale-2")).error.code).toBe("PROVIDER_REJECTED");
  });

  it.each([
    ["no balance can be read", { message: "down" }],
    ["the balance is zero, as in an account that is paid later", { availableBalance: 0 }],
  ])("leaves the decision to its provider if %s", async (_, balance) => {
    await state("p2", COSTS.p2 - 1);
    shop.p2.balance = { currency: "USD", currencyDivisor: 100, ...balance };
    expect(await order("sale-1")).toMatchObject({ status: "DONE", cost: COSTS.p2 });
    expect(await listParts()).not.toHaveProperty("p2");
  });

  it("names the provider and charges nothing if no other provider sells it", async () => {
    const { upstream } = shop.till.gateway.context;
    for (const providerId of ["p3", "first"]) await upstream.pause({ ...OWNER, providerId }, true);
    await state("p2", COSTS.p2 - 25);
    const before = await listParts();
    const { status, error } = await order("sale-1");
    expect(status).toBe("FAILED");
    expect(error).toEqual({
      code: "INSUFFICIENT_FUNDS",
      description: "The balance at the provider does not cover the cost. Nothing was charged.",
      message: "The balance at North is short by 0.25 USD.",
    });
    expect(await listPostings("sale-1")).toEqual([]);
    expect(await listParts()).toEqual(before);
    const { stored } = await upstream.getStatus({ ...OWNER, providerId: "p2" });
    expect(stored?.fault?.kind).toBe("FUNDS_SHORT");
  });

  it("stays with its provider after a restore, because it may have been sent after the backup", async () => {
    const { transactor, upstream } = shop.till.gateway.context;
    const owner = await setUpTill(shop.till);
    const pause = "/brands/RLD-88/pause?environment=live";
    expect((await owner.pos("PUT", pause)).status).toBe(200);
    for (const providerId of ["p3", "first"]) await upstream.pause({ ...OWNER, providerId }, true);
    expect((await order("sale-1")).status).toBe("PENDING");
    await transactor.transact(OWNER.accountId, (tx) => doubtUnfinished(tx));
    acceptBefore(shop, "sale-1");
    await state("p2", COSTS.p2 - 1);
    for (const providerId of ["p3", "first"]) await upstream.pause({ ...OWNER, providerId }, false);
    expect((await owner.pos("DELETE", pause)).status).toBe(200);
    await shop.till.advance(2 * SECOND);
    await shop.settle();
    await shop.till.advance(2 * SECOND);
    await shop.settle();
    expect(await read("sale-1")).toMatchObject({ status: "DONE", cost: COSTS.p2 });
    expect(soldBy()).toEqual([0, 1, 0]);
  });

  it("keeps its price and its tax on the margin in the books", async () => {
    const owner = await setMarkup("10", { kind: "ON_MARGIN", percent: "20" });
    await sellLive();
    await openShift(owner);
    await state("p2", COSTS.p2 - 1);
    const sold = await owner.sell([
      { offerId: SHARED_OFFER, recipientPhoneNumber: "+50251234567" },
    ]);
    expect(sold.status, JSON.stringify(sold.body)).toBe(200);
    await shop.settle();
    await shop.till.advance(2 * SECOND);
    await shop.settle();
    const { price, tax, cost } = await shop.till.gateway.context.db
      .selectFrom("sale_lines")
      .select(["price", "tax", "cost"])
      .executeTakeFirstOrThrow();
    expect([cost, tax]).toEqual([COSTS.p3, Math.round((price - COSTS.p2) / 6)]);
  });

  it("returns its hold to the part of the provider that refused it", async () => {
    await state("p2", COSTS.p2);
    const before = await listParts();
    shop.p2.submit = refuse("OFFER_DISABLED");
    expect(await order("sale-1")).toMatchObject({ status: "DONE", cost: COSTS.p3 });
    expect(await listParts()).toEqual({ ...before, p3: (before.p3 ?? 0) - COSTS.p3 });
  });
});
