import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MINUTE, SECOND } from "../../../lib/clock.ts";
import type { Provider, RefundAnswer } from "../../../providers/provider.ts";
import { Simulator } from "../../../providers/simulator/simulator.ts";
import { type FakeUpstream, startFakeUpstream } from "../../../testing/fake-upstream.ts";
import { giveLiveCatalog } from "../../../testing/live-catalog.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";
import { until } from "../../../testing/until.ts";

const KEY = "live_a-secret-of-the-upstream-0123456789";

let till: TestGateway;
let owner: TestTill;
let first: FakeUpstream;
let other: Server;
/** Runs when `other` receives a balance query, before it responds. */
let duringQuery: () => Promise<unknown>;

beforeEach(async () => {
  till = await startTestGateway();
  owner = await openTill(till);
  first = await startFakeUpstream(till.clock);
  other = createServer((_request, response) => {
    void duringQuery().finally(() => response.end(JSON.stringify(first.balance)));
  });
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  await till.close();
  await first.close();
  other.close();
});

function connect(baseUrl: string, key = KEY) {
  return owner.pos("PUT", "/upstream", { baseUrl, key, allowPrivate: true });
}

/** Sells through the first gateway, which books the purchase and cuts the connection. */
async function sellWithoutAnswer(transactionId: string): Promise<void> {
  first.submit = ({ accept, request }) => {
    accept();
    request.socket.destroy();
  };
  const { ask } = first;
  first.ask = ({ request }) => request.socket.destroy();
  const body = { offerId: "TIGO_GT_TOPUP_25", transactionId, recipientPhoneNumber: "+50251234567" };
  await till.v1("POST", "/topups/purchases", body, "live");
  await till.settle();
  await till.gateway.context.engine.idle();
  first.ask = ask;
}

describe("another key of the connected gateway", () => {
  const OTHER = "live_a-key-of-another-account-0123456789";

  beforeEach(async () => {
    await giveLiveCatalog(till, ["TIGO_GT_TOPUP_25"]);
    await owner.pos("POST", "/wallet/recharges", {
      rechargeId: randomUUID(),
      environment: "live",
      amount: 5000,
    });
    expect((await connect(first.url)).status).toBe(200);
    await sellWithoutAnswer("one");
  });

  it("cannot be connected if its account does not know a purchase that is under way", async () => {
    const { ask } = first;
    first.ask = (exchange) => {
      const isOther = exchange.request.headers.authorization?.includes(OTHER) === true;
      if (!isOther) return ask(exchange);
      exchange.reply(404, { errorCode: "NOT_FOUND", message: "No such thing.", fields: {} });
    };
    const answer = await connect(first.url, OTHER);
    expect([answer.status, answer.body.message, answer.body.fields.reason]).toEqual([
      400,
      expect.stringMatching(/^1 purchases or refunds are still under way, and the account/),
      "ACCOUNT",
    ]);
    await till.advance(16 * MINUTE);
    await till.gateway.context.engine.idle();
    const { body } = await till.v1("GET", "/topups/purchases/one", undefined, "live");
    expect([body.status, first.submissions.get("one")]).toEqual(["DONE", 1]);
    expect((await connect(first.url, OTHER)).status).toBe(200);
  });

  it("can be connected if its account knows a purchase that is under way", async () => {
    expect((await connect(first.url, OTHER)).status).toBe(200);
    await till.advance(16 * MINUTE);
    await till.gateway.context.engine.idle();
    const { body } = await till.v1("GET", "/topups/purchases/one", undefined, "live");
    expect([body.status, first.submissions.get("one")]).toEqual(["DONE", 1]);
  });

  it("appears in the audit trail with the kind of the provider", async () => {
    const { list } = (await owner.pos("GET", "/audit-trail?limit=9&action=upstream.connect")).body;
    expect(list[0].detail).toMatchObject({ baseUrl: first.url, providerKind: "gateway" });
  });
});

describe("a refund that is under way", () => {
  const author = { accountId: "default", environment: "live", staffId: undefined } as const;
  const typed = { key: KEY, allowPrivate: true };
  let shop: TestGateway;

  beforeEach(async () => {
    const simulator = () => new Simulator(shop.gateway.context);
    const provider: Provider = {
      submit: (order, signal) => simulator().submit(order, signal),
      inquire: (order) => simulator().inquire(order),
      readEsim: (esim) => simulator().readEsim(esim),
      refund: async (): Promise<RefundAnswer> => ({
        kind: "working",
        checkAgainAt: till.clock.now() + MINUTE,
      }),
    };
    shop = await startTestGateway({ providers: { live: provider } });
    const offerId = "AIRALO_ES_1GB_7D";
    await giveLiveCatalog(shop, [offerId]);
    const { recharges, upstream } = shop.gateway.context;
    await recharges.recharge(author, 5000);
    await upstream.connect(author, { ...typed, baseUrl: first.url });
    await shop.v1("POST", "/esim/purchases", { offerId, transactionId: "esim-1" }, "live");
    await shop.advance(2 * SECOND);
    const asked = await shop.v1("POST", "/esim/purchases/esim-1/refund", undefined, "live");
    expect(asked.status, JSON.stringify(asked.body)).toBe(200);
  });
  afterEach(() => shop.close());

  it("keeps another gateway from being connected", async () => {
    duringQuery = async () => {};
    const { port } = other.address() as AddressInfo;
    const { upstream } = shop.gateway.context;
    await expect(
      upstream.connect(author, { ...typed, baseUrl: `http://127.0.0.1:${port}` }),
    ).rejects.toThrow("1 refunds are still under way");
  });

  it("counts as an unknown outcome of its provider after two minutes", async () => {
    const ownerThere = await openTill(shop);
    const readUnknown = async () =>
      (await ownerThere.pos("GET", "/providers")).body.list[0].health.unknown;
    expect(await readUnknown()).toBe(0);
    await shop.advance(2 * MINUTE);
    expect(await readUnknown()).toBe(1);
  });
});

it("a gateway cannot be connected if a purchase is sent to the previous gateway at the same time", async () => {
  await giveLiveCatalog(till, ["TIGO_GT_TOPUP_25"]);
  await owner.pos("POST", "/wallet/recharges", {
    rechargeId: randomUUID(),
    environment: "live",
    amount: 5000,
  });
  expect((await connect(first.url)).status).toBe(200);
  duringQuery = async () => {
    const recipientPhoneNumber = "+50251234567";
    const body = { offerId: "TIGO_GT_TOPUP_25", transactionId: "one", recipientPhoneNumber };
    await till.v1("POST", "/topups/purchases", body, "live");
    await until(() => first.books.has("one"));
  };
  const { port } = other.address() as AddressInfo;
  const answer = await connect(`http://127.0.0.1:${port}`);
  expect([answer.status, answer.body.message]).toEqual([
    400,
    expect.stringMatching(/^1 purchases are still under way/),
  ]);
  expect((await owner.pos("GET", "/upstream")).body.baseUrl).toBe(first.url);
  await till.advance(60_000);
  const { body } = await till.v1("GET", "/topups/purchases/one", undefined, "live");
  expect(body.status).toBe("DONE");
  expect(first.submissions.get("one")).toBe(1);
});
