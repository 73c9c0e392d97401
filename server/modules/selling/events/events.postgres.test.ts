import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { latestChangeId } from "../../../db/changes.ts";
import { type EventStream, followEvents } from "../../../testing/event-stream.ts";
import { type PostgresProxy, startPostgresProxy } from "../../../testing/postgres-proxy.ts";
import {
  startGatewayBeside,
  startTestGateway,
  type TestGateway,
} from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";

let here: TestGateway;
let there: TestGateway;
let proxy: PostgresProxy;
let owner: TestTill;
const streams: EventStream[] = [];
beforeEach(async () => {
  here = await startTestGateway();
  proxy = await startPostgresProxy(here.database!);
  there = await startGatewayBeside({ ...here, database: proxy.address });
  owner = await openTill(here);
});
afterEach(async () => {
  for (const stream of streams.splice(0)) await stream.leave();
  await here.expectCleanBooks();
  await there.close();
  await proxy.close();
  await here.close();
});

const LINE = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };

async function follow(gateway: TestGateway, lastEventId?: string): Promise<EventStream> {
  const headers = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
  const stream = await followEvents(gateway.url, owner.cookie, headers);
  streams.push(stream);
  return stream;
}

async function sell(): Promise<string> {
  return (await owner.sell([LINE])).body.saleId;
}

async function readOutcomes(gateway: TestGateway, saleId: string): Promise<string> {
  const init = { headers: { cookie: owner.cookie } };
  const { lines } = (await gateway.call("GET", `/pos/sales/${saleId}`, init)).body;
  return lines.map(({ status }: { status: string }) => status).join();
}

/**
 * A till that reloads the subject of each event. After an interruption, the till reconnects with
 * its last event id and reloads all sales.
 */
function followSales(gateway: TestGateway) {
  const seen = new Map<string, string>();
  let at = gateway;
  let lastEventId: string | undefined;
  let current: EventStream | undefined;
  let isOver = false;

  async function look(saleIds: readonly string[]): Promise<void> {
    for (const saleId of saleIds) seen.set(saleId, await readOutcomes(at, saleId));
  }

  async function listAll(): Promise<string[]> {
    const init = { headers: { cookie: owner.cookie } };
    const { body } = await at.call("GET", "/pos/sales?limit=100&offset=0", init);
    return body.list.map(({ saleId }: { saleId: string }) => saleId);
  }

  async function run(): Promise<void> {
    while (!isOver) {
      try {
        current = await follow(at, lastEventId);
        for await (const { id, event, data } of current.all()) {
          if (event === "sale") await look([data.saleId]);
          if (event === "again") await look(await listAll());
          lastEventId = id;
        }
      } catch {
        // The stream broke, and a request may have failed too.
      }
    }
  }

  const running = run();
  return {
    seen,
    moveTo(other: TestGateway) {
      at = other;
      void current?.leave();
    },
    async stop() {
      isOver = true;
      await current?.leave();
      await running;
    },
  };
}

describe("a till that follows events at another gateway", () => {
  it("receives a sale through the database's notification, before any timer fires", async () => {
    const stream = await follow(there);
    const first = await stream.next("wallet");
    const sale = await owner.prepareSale([LINE]);
    await owner.pos("POST", "/sales", sale);
    const told = await stream.next("sale", ({ saleId }) => saleId === sale.saleId);
    expect(Number(told.id)).toBeGreaterThan(Number(first.id));
    await here.settle();
  });

  it("receives a sale after a second if the notification was lost", async () => {
    const stream = await follow(there);
    await stream.next("wallet");
    proxy.swallowNotices();
    const saleId = await sell();
    await here.advance(2_000);
    await there.settle();
    await stream.next("sale", (data) => data.saleId === saleId);
  });

  it("gets signed out when its person signs out at another gateway", async () => {
    const stream = await follow(there);
    await stream.next("wallet");
    await owner.pos("DELETE", "/session");
    await stream.next("signed-out");
    expect(await stream.rest()).toEqual([]);
  });

  it("misses no sale while its stream starts", async () => {
    const { db } = here.gateway.context;
    for (let round = 0; round < 15; round++) {
      const sale = await owner.prepareSale([LINE]);
      const [stream] = await Promise.all([follow(there), owner.pos("POST", "/sales", sale)]);
      await here.settle();
      const latest = await latestChangeId(db, "default");
      for await (const { id } of stream.all()) if (Number(id) >= latest) break;
      await stream.leave();
    }
  });

  it("sees the outcome of every sale even if its gateway stops", async () => {
    const reader = followSales(there);
    const sold: string[] = [];
    for (let n = 0; n < 6; n++) sold.push(await sell());
    await expect.poll(() => reader.seen.size).toBe(6);
    const selling = (async () => {
      for (let n = 0; n < 6; n++) sold.push(await sell());
    })();
    await proxy.close();
    reader.moveTo(here);
    await selling;
    await here.advance(5_000);
    for (let n = 0; n < 3; n++) sold.push(await sell());
    await here.advance(5_000);
    const expected = sold.map((saleId) => [saleId, "DONE"]);
    await expect
      .poll(() => sold.map((saleId) => [saleId, reader.seen.get(saleId)]))
      .toEqual(expected);
    await reader.stop();
    expect(new Set(sold).size).toBe(15);
  });
});
