import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
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

function connect(baseUrl: string) {
  return owner.pos("PUT", "/upstream", { baseUrl, key: KEY, allowPrivate: true });
}

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
