import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { writerOf } from "../../../testing/direct-writes.ts";
import { giveLiveCatalog } from "../../../testing/live-catalog.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";

/** The head office's test catalog is longer than its live catalog. */
let office: TestGateway;
let shop: TestGateway;
let owner: TestTill;
let way: Server;
/** Until this resolves, the proxy delays offers for the test key. */
let testCatalog: Promise<unknown>;
let isAsked: Promise<void>;

const LIVE_OFFERS = ["TIGO_GT_TOPUP_25"];

beforeEach(async () => {
  office = await startTestGateway();
  await giveLiveCatalog(office, LIVE_OFFERS);
  const db = writerOf(office.gateway.context.db);
  await db.deleteFrom("offers").where("brand", "<>", "TIGO").execute();
  await db
    .updateTable("catalogs")
    .set((row) => ({ version: row("version", "+", 1) }))
    .execute();
  shop = await startTestGateway();
  owner = await openTill(shop);
  let asked = () => {};
  isAsked = new Promise((resolve) => {
    asked = resolve;
  });
  async function pass({ headers, url }: IncomingMessage, response: ServerResponse): Promise<void> {
    const { authorization = "" } = headers;
    if (authorization.includes(office.key("test")) && url?.includes("/topups/offers")) {
      asked();
      await testCatalog;
    }
    const answer = await fetch(office.url + url, { headers: { authorization } });
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(Buffer.from(await answer.arrayBuffer()));
  }
  way = createServer((request, response) => void pass(request, response));
  await new Promise<void>((resolve) => way.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  await shop.close();
  await office.close();
  way.closeAllConnections();
  way.close();
});

function connect(environment: "test" | "live") {
  const { port } = way.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}`;
  return owner.pos("PUT", "/upstream", {
    baseUrl,
    key: office.key(environment),
    allowPrivate: true,
  });
}

async function soldLive(): Promise<string[]> {
  const path = "/topups/offers?_limit=1024&_offset=0";
  const { list } = (await shop.v1("GET", path, undefined, "live")).body;
  return list.map(({ offerId }: { offerId: string }) => offerId);
}

it("a catalog is discarded if another key was connected during its download", async () => {
  let arrive = () => {};
  testCatalog = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  expect((await connect("test")).status).toBe(200);
  await isAsked;
  expect((await connect("live")).status).toBe(200);
  arrive();
  await shop.settle();
  expect(await soldLive()).toEqual(LIVE_OFFERS);
  const status = (await owner.pos("GET", "/upstream")).body;
  expect(status.syncedAt).toBeDefined();
  expect(status.syncFailure).toBeUndefined();
});

it("a new key starts without a catalog until its own catalog is read", async () => {
  testCatalog = Promise.resolve();
  await connect("test");
  await shop.settle();
  expect((await soldLive()).length).toBeGreaterThan(1);
  const connected = await connect("live");
  expect(connected.status).toBe(200);
  const { db } = shop.gateway.context;
  const known = await db.selectFrom("upstreams").select("synced_at").executeTakeFirstOrThrow();
  expect(known.synced_at === null || (await soldLive()).length === 1).toBe(true);
  await shop.settle();
  expect(await soldLive()).toEqual(LIVE_OFFERS);
});
