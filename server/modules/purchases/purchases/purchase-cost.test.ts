import { statSync } from "node:fs";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databaseFile } from "../../../db/database-files.ts";
import { MINUTE, SECOND } from "../../../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill } from "../../../testing/test-till.ts";

/**
 * Statements of the measured sales. Commits take time on slow disks, statements on slow processors,
 * and each page is written twice (rules#purchase-cost).
 */
const statements: string[] = [];
let shop: TestGateway;

beforeAll(async () => {
  shop = await startTestGateway({
    onStatement: (text) => statements.push(text),
    rateLimit: { burst: 1_000, perSecond: 1_000 },
  });
  // The first use of the key in a minute takes a separate commit, which is not to be measured.
  await sell("first");
});
afterAll(() => shop.close());

const PURCHASE = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };

async function buy(transactionId: string): Promise<void> {
  const answer = await shop.v1("POST", "/topups/purchases", { ...PURCHASE, transactionId });
  expect(answer.body).toEqual({ status: "ACCEPTED", transactionId });
}

/** Buys without requests, because the time between requests would depend on the machine. */
async function buyAtOnce(ids: string[]): Promise<void> {
  const { purchases, accountId } = shop.gateway.context;
  const scope = { accountId, environment: "test" } as const;
  await Promise.all(
    ids.map((transactionId) => purchases.buy(scope, "TOPUP", { ...PURCHASE, transactionId })),
  );
}

interface Cost {
  statements: string[];
  commits: number;
}

async function sell(...ids: string[]): Promise<Cost> {
  await shop.settle();
  statements.length = 0;
  await (ids.length === 1 ? buy(ids[0] ?? "") : buyAtOnce(ids));
  await shop.settle();
  await shop.advance(2 * SECOND);
  const seen = [...statements];
  for (const id of ids) {
    expect((await shop.v1("GET", `/topups/purchases/${id}`)).body.status).toBe("DONE");
  }
  return {
    // Omits the check for writes of other processes, which runs each second.
    statements: seen.filter((text) => text !== "pragma data_version"),
    commits: seen.filter((text) => /^commit/i.test(text)).length,
  };
}

function countPages(): number {
  return Math.floor(statSync(`${databaseFile(shop.dataDir)}-wal`).size / (4_096 + 24));
}

async function measureBytes(): Promise<Map<string, number>> {
  const { rows } = await sql<{ name: string; bytes: number }>`
    select name, sum(payload) as bytes from dbstat group by name`.execute(shop.gateway.context.db);
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}

/** Omits the changes, which are deleted after a week, and the orders of the simulated provider. */
async function measureStayingBytes(): Promise<Map<string, number>> {
  const bytes = await measureBytes();
  bytes.delete("changes");
  bytes.delete("simulator_orders");
  return bytes;
}

type Sizes = ReadonlyMap<string, number>;

function growth(before: Sizes, after: Sizes, sales: number): { bytes: number; tables: string } {
  const grown = [...after].map(
    ([name, bytes]) => [name, (bytes - (before.get(name) ?? 0)) / sales] as const,
  );
  const bytes = grown.reduce((sum, [, more]) => sum + more, 0);
  return { bytes, tables: grown.filter(([, more]) => more !== 0).join("\n") };
}

const crowd = (name: string, count: number) =>
  Array.from({ length: count }, (_, number) => `${name}-${number}`);

describe("a sale", () => {
  it("takes at most 4 commits and 39 statements if no other sale runs", async () => {
    const { statements: seen, commits } = await sell("alone");
    expect(commits).toBeLessThanOrEqual(4);
    expect(seen.length, seen.join("\n")).toBeLessThanOrEqual(39);
  });

  it("takes at most a fifth of a commit and 17 statements among 64 simultaneous sales", async () => {
    const { commits, statements: seen } = await sell(...crowd("crowd", 64));
    expect(commits / 64).toBeLessThanOrEqual(0.2);
    expect(seen.length / 64).toBeLessThanOrEqual(17);
  });

  it("writes at most 2.5 pages and 1,368 bytes among 64 simultaneous sales", async () => {
    await sql`pragma wal_checkpoint(truncate)`.execute(shop.gateway.context.db);
    await sell("behind-the-checkpoint");
    const [before, pagesBefore] = [await measureBytes(), countPages()];
    const SALES = 128;
    for (const name of ["one", "two"]) await sell(...crowd(name, SALES / 2));
    expect((countPages() - pagesBefore) / SALES).toBeLessThanOrEqual(2.5);
    const { bytes, tables } = growth(before, await measureBytes(), SALES);
    expect(bytes, tables).toBeLessThanOrEqual(1_368);
  });

  it("writes at most 2,500 bytes that stay if a till makes it", async () => {
    const till = await openTill(shop);
    await till.sell([PURCHASE]);
    await shop.advance(MINUTE);
    const before = await measureStayingBytes();
    const SALES = 50;
    for (let sold = 0; sold < SALES; sold++) {
      const sold = await till.sell([PURCHASE]);
      expect(sold.status, JSON.stringify(sold.body)).toBe(200);
      await shop.advance(MINUTE);
    }
    const { bytes, tables } = growth(before, await measureStayingBytes(), SALES);
    expect(bytes, tables).toBeLessThanOrEqual(2_500);
  });
});
