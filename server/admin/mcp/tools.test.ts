import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Offer } from "../../contract/v1/offers.ts";
import { type Clock, HOUR, MINUTE, SECOND } from "../../lib/clock.ts";
import { giveLiveCatalog } from "../../testing/live-catalog.ts";
import { createLiveSimulator } from "../../testing/live-simulator.ts";
import { type MutatingProxy, startMutatingProxy } from "../../testing/mutating-proxy.ts";
import { typeCommand } from "../../testing/run-program.ts";
import { startTestGateway, type TestGateway } from "../../testing/test-gateway.ts";
import { GatewayApi } from "./gateway-api.ts";
import { createTools } from "./tools.ts";

const LIVE = { accountId: "default", environment: "live", staffId: undefined } as const;
const TOPUP = {
  family: "topups",
  offerId: "TIGO_GT_TOPUP_25",
  recipientPhoneNumber: "+50251234567",
};
const UNKNOWN = "00000000-0000-4000-8000-000000000000";

let gateway: TestGateway;
let proxy: MutatingProxy;
/** Clock of the tools, which advances at each pause. The gateway's clock does not advance. */
let now: number;
beforeEach(async () => {
  const live = createLiveSimulator(() => gateway);
  gateway = await startTestGateway({ providers: { live } });
  await giveLiveCatalog(gateway, [TOPUP.offerId]);
  await gateway.gateway.context.recharges.recharge(LIVE, 100_000);
  proxy = await startMutatingProxy(() => gateway.url);
  now = 0;
});
afterEach(async () => {
  await proxy.close();
  await gateway.expectCleanBooks();
  await gateway.close();
});

function connect(environment: "test" | "live") {
  const clock: Clock = {
    now: () => now,
    running: () => now,
    wakeAt(at, callback) {
      now = Math.max(now, at);
      queueMicrotask(callback);
      return () => {};
    },
  };
  let made = 0;
  const tools = createTools({
    api: new GatewayApi(proxy.url, gateway.key(environment), clock),
    isTest: environment === "test",
    sellsLive: environment === "live",
    errors: [],
    createId: () => `mcp-${++made}`,
  });
  // biome-ignore lint/suspicious/noExplicitAny: each tool has its own answer
  return (name: string, args: Record<string, unknown>): Promise<any> =>
    tools.find((tool) => tool.name === name)!.run(args);
}

async function countPurchases(environment: "test" | "live"): Promise<number> {
  const path = "/topups/purchases?_limit=1&_offset=0";
  return (await gateway.v1("GET", path, undefined, environment)).body.total;
}

function isPurchase({ method }: { method: string }): boolean {
  return method === "POST";
}

const MAY_BE_BOUGHT =
  /^The purchase mcp-1 may have been bought\. Read it with get_purchase \(family topups, transactionId mcp-1\)/;

const LOST_ANSWERS = [
  ["a cut connection", { kind: "CUT" }],
  ["half of a body", { kind: "TRUNCATE" }],
  ["429", { kind: "ANSWER", status: 429, isForwarded: true, body: { errorCode: "RATE_LIMITED" } }],
  ["502", { kind: "ANSWER", status: 502, isForwarded: true }],
  ["503", { kind: "ANSWER", status: 503, isForwarded: true, body: { errorCode: "X" } }],
  ["504", { kind: "ANSWER", status: 504, isForwarded: true }],
] as const;

describe("sales of the MCP tools", () => {
  it("return a late purchase after 20 seconds, and its outcome to a repeat", async () => {
    const call = connect("live");
    const { confirmation, transactionId } = await call("prepare_live_purchase", TOPUP);
    const late = await call("confirm_live_purchase", { confirmation });
    expect(late.transactionId).toBe(transactionId);
    expect(["DONE", "FAILED"]).not.toContain(late.status);
    expect(now).toBe(20 * SECOND);
    await gateway.advance(5 * SECOND);
    now += HOUR;
    const repeat = await call("confirm_live_purchase", { confirmation });
    expect([repeat.transactionId, repeat.status]).toEqual([transactionId, "DONE"]);
    expect(await countPurchases("live")).toBe(1);
  });

  it.each(LOST_ANSWERS)("name the transaction id after %s, live", async (_name, mutation) => {
    const call = connect("live");
    const { confirmation } = await call("prepare_live_purchase", TOPUP);
    proxy.choose = (exchange) => (isPurchase(exchange) ? mutation : undefined);
    await expect(call("confirm_live_purchase", { confirmation })).rejects.toThrow(MAY_BE_BOUGHT);
    await gateway.advance(5 * SECOND);
    const repeat = await call("confirm_live_purchase", { confirmation });
    expect([repeat.transactionId, repeat.status]).toEqual(["mcp-1", "DONE"]);
    expect(await countPurchases("live")).toBe(1);
  });

  it.each(LOST_ANSWERS)("name the transaction id after a poll with %s, in test", async (...row) => {
    const [, mutation] = row;
    const call = connect("test");
    proxy.choose = ({ path }) => (path.endsWith("/mcp-1") ? mutation : undefined);
    await expect(call("buy", TOPUP)).rejects.toThrow(MAY_BE_BOUGHT);
    expect(await countPurchases("test")).toBe(1);
  });

  it("name the transaction id of a refused and of a known purchase", async () => {
    const call = connect("test");
    const refused = call("buy", { ...TOPUP, recipientPhoneNumber: "+1" });
    await expect(refused).rejects.toThrow(/^The gateway refused the purchase mcp-1\. .* 400: /);
    await call("buy", { ...TOPUP, transactionId: "one" });
    const known = call("buy", { ...TOPUP, transactionId: "one" });
    await expect(known).rejects.toThrow(/^The purchase one may have been bought\..*DUPLICATE/);
    expect(await countPurchases("test")).toBe(1);
  });

  it("return a finished purchase to its repeat, and not to another purchase", async () => {
    const call = connect("test");
    const order = { ...TOPUP, transactionId: "one" };
    await call("buy", order);
    await gateway.advance(5 * SECOND);
    expect(await call("buy", order)).toMatchObject({ transactionId: "one", status: "DONE" });
    const other = call("buy", { ...order, recipientPhoneNumber: "+50251234568" });
    await expect(other).rejects.toThrow(/may have been bought/);
    expect(await countPurchases("test")).toBe(1);
  });

  it("name the transaction id to a repeat that cannot read the purchase", async () => {
    const call = connect("live");
    const { confirmation } = await call("prepare_live_purchase", TOPUP);
    proxy.choose = (exchange) =>
      isPurchase(exchange) ? { kind: "ANSWER", status: 502, isForwarded: false } : undefined;
    await expect(call("confirm_live_purchase", { confirmation })).rejects.toThrow(MAY_BE_BOUGHT);
    await expect(call("confirm_live_purchase", { confirmation })).rejects.toThrow(MAY_BE_BOUGHT);
    expect(await countPurchases("live")).toBe(0);
  });

  it("buy once for two confirmations at the same time", async () => {
    const call = connect("live");
    const { confirmation } = await call("prepare_live_purchase", TOPUP);
    const both = [1, 2].map(() => call("confirm_live_purchase", { confirmation }));
    for (const { status, reason } of await Promise.allSettled(both).then(toPlain)) {
      if (status === "rejected") expect(reason).toMatch(MAY_BE_BOUGHT);
    }
    expect(await countPurchases("live")).toBe(1);
  });

  it("buy nothing after the price has changed, even if it changes back", async () => {
    const call = connect("live");
    const { confirmation } = await call("prepare_live_purchase", TOPUP);
    const offer = await call("get_offer", TOPUP);
    const dearer = { ...offer, cost: { ...offer.cost, fixed: offer.cost.fixed + 1 } };
    proxy.choose = () => ({ kind: "ANSWER", status: 200, isForwarded: false, body: dearer });
    const changed = call("confirm_live_purchase", { confirmation });
    await expect(changed).rejects.toThrow(/^The price has changed to .*Nothing was bought/);
    proxy.choose = () => undefined;
    const again = call("confirm_live_purchase", { confirmation });
    await expect(again).rejects.toThrow(/or its price has changed\. Nothing was bought/);
    expect(await countPurchases("live")).toBe(0);
  });

  it("say that nothing was bought only of an expired, unused confirmation", async () => {
    const call = connect("live");
    const { confirmation } = await call("prepare_live_purchase", TOPUP);
    now += 10 * MINUTE;
    const expired = call("confirm_live_purchase", { confirmation });
    await expect(expired).rejects.toThrow(/older than ten minutes.*Nothing was bought/);
    const unknown = call("confirm_live_purchase", { confirmation: UNKNOWN });
    await expect(unknown).rejects.toThrow(/unknown.*may have been bought/);
    expect(await countPurchases("live")).toBe(0);
  });
});

describe("tools that read", () => {
  it("find an offer, quote it, and return its purchase as the sale returned it", async () => {
    const call = connect("test");
    expect(await call("get_balance", {})).toMatchObject({ environment: "test" });
    const found = await call("find_offers", { family: "topups", country: "GT", text: "TIGO" });
    const listed = found.offers.find(({ offerId }: Offer) => offerId === TOPUP.offerId);
    expect(listed).toMatchObject({ priceType: "FIXED", cost: expect.stringMatching(/ USD$/) });
    const offer = await call("get_offer", TOPUP);
    const quoted = await call("quote", TOPUP);
    expect([quoted.cost, offer.offerId]).toEqual([listed.cost, TOPUP.offerId]);
    const bought = await call("buy", TOPUP);
    expect(await call("get_purchase", { ...TOPUP, transactionId: "mcp-1" })).toEqual(bought);
    expect(bought.cost).toBe(offer.cost.fixed);
    const ranges = (await call("find_offers", { family: "topups" })).offers;
    expect(ranges.filter((one: Offer) => one.priceType === "RANGE")[0]).toHaveProperty("priceTo");
  });

  it.each([
    ["get_offer", { family: "cars", offerId: "A" }, /^family must be one of topups, vouchers/],
    ["get_offer", { family: "topups", offerId: "NONE" }, / 404: /],
    ["quote", { ...TOPUP, value: { type: "PRICE", value: 1 } }, /^VALUE_NOT_ALLOWED: /],
    ["get_purchase", { family: "topups", transactionId: "none" }, / 404: /],
    ["explain_error", { code: "NONE" }, /^There is no error code NONE/],
  ])("refuse %s with %j", async (name, args, reason) => {
    const call = connect("test");
    await expect(async () => call(name, args)).rejects.toThrow(reason);
  });
});

it.each(["test_x", "sandbox_x"])("tillgate mcp refuses --sell-live with %s", async (key) => {
  const args = ["mcp", "--url", gateway.url, "--key", key, "--sell-live"];
  expect(await typeCommand(gateway, args)).toEqual({
    exitCode: 1,
    stdout: "",
    stderr: "--sell-live needs a live key.\n",
  });
});

function toPlain(results: readonly PromiseSettledResult<unknown>[]) {
  return results.map((result) => ({
    status: result.status,
    reason: result.status === "rejected" ? String(result.reason.message) : "",
  }));
}
