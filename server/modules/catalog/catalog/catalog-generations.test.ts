import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CatalogContent } from "../../../contract/catalog-content.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { databaseFile } from "../../../db/database-files.ts";
import { createGateway } from "../../../index.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { TEST_OVERRIDES, testConfig } from "../../../testing/first-day.ts";
import {
  isOnPostgres,
  onlySqlite,
  SERVER_KEEPS,
  TOUCHES_THE_FILE,
} from "../../../testing/only-sqlite.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";

const LIVE = { accountId: "default", environment: "live" } as const;
/** Too many for one transaction, so that the import writes a new generation. */
const OFFERS = 300;
const PAGE = "/topups/offers?_limit=1024&_offset=0";
/** Maximum per transaction. Each row counts twice, because its checksum is a second row. */
const MAX_ROWS_WRITTEN = 2 * 100 + 20;

let till: TestGateway;
let first: CatalogContent;
let second: CatalogContent;
let scratch: string;
beforeAll(async () => {
  till = await startTestGateway();
  scratch = mkdtempSync(join(tmpdir(), "tillgate-cuts-"));
  const sandbox = await till.gateway.context.catalogUpdates.read({ ...LIVE, environment: "test" });
  const [topup] = sandbox.topups.filter(({ priceType }) => priceType === "FIXED");
  const [voucher] = sandbox.vouchers;
  const used = [topup!.brand, voucher!.brand];
  const topups = Array.from({ length: OFFERS }, (_, n) => ({ ...topup!, offerId: `OFFER_${n}` }));
  first = {
    topups,
    vouchers: [voucher!],
    esim: [],
    billpay: [],
    promos: [],
    brands: sandbox.brands.filter(({ brand }) => used.includes(brand)),
  };
  // A third of the offers stays unchanged, a third gets a new cost, and a third is replaced.
  second = {
    ...first,
    topups: topups.map((offer, n) => {
      if (n % 3 === 0) return offer;
      if (n % 3 === 1) return { ...offer, offerId: `NEW_${n}` };
      const { suggestedFixed } = offer.price;
      return {
        ...offer,
        price: {
          ...offer.price,
          suggestedFixed: suggestedFixed + 100,
          fixed: suggestedFixed + 100,
        },
      };
    }),
  };
});
afterAll(async () => {
  await till.close();
  rmSync(scratch, { recursive: true, force: true });
});

const origin = { source: "file.json", action: "catalog.import" } as const;

function take(content: Partial<CatalogContent>) {
  return till.gateway.context.catalogUpdates.replace(LIVE, content, origin);
}

async function served(url: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${till.key("live")}` };
  const answer = await fetch(`${url}/v1${PAGE}`, { headers });
  expect(answer.status).toBe(200);
  return answer.json();
}

async function countRows(db: Db): Promise<number[]> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from offers where environment = 'live'
    union all select count(*) from catalog_generations`.execute(db);
  return rows.map(({ count }) => count);
}

async function countWritten(tx: Tx): Promise<number> {
  const { rows } = await (isOnPostgres()
    ? sql<{ total: number }>`select sum(n_tup_ins + n_tup_upd + n_tup_del) as total
          from pg_stat_xact_user_tables`
    : sql<{ total: number }>`select total_changes() as total`
  ).execute(tx);
  return rows[0]!.total;
}

async function watching<T>(
  watch: { before?: (index: number) => void; written?: number[] },
  work: () => Promise<T>,
): Promise<T> {
  const { transactor } = till.gateway.context;
  const transact = transactor.transact.bind(transactor);
  let index = 0;
  transactor.transact = async (lock, body) => {
    watch.before?.(index++);
    return transact(lock, async (tx) => {
      const before = watch.written && (await countWritten(tx));
      const result = await body(tx);
      if (before !== undefined) watch.written?.push((await countWritten(tx)) - before);
      return result;
    });
  };
  try {
    return await work();
  } finally {
    transactor.transact = transact;
  }
}

describe("a catalog import that replaces everything", () => {
  const cuts: string[] = [];
  let before: unknown;
  let after: unknown;
  beforeEach(async () => {
    await take(first);
    before = await served(till.url);
  });
  afterEach(() => {
    cuts.length = 0;
  });

  function cutPower(index: number): void {
    const dataDir = join(scratch, `cut-${index}`);
    cpSync(till.dataDir, dataDir, { recursive: true });
    rmSync(`${databaseFile(dataDir)}-shm`, { force: true });
    cuts.push(dataDir);
  }

  it(
    "leaves either the old or the new catalog complete after a power cut at any step",
    onlySqlite(TOUCHES_THE_FILE),
    async () => {
      await watching({ before: cutPower }, () => take(second));
      after = await served(till.url);
      expect(after).not.toEqual(before);
      // One cut each at the start, per 75 rows, at the exchange and at the deletions.
      expect(cuts.length).toBeGreaterThan(8);
      let exchanged = 0;
      for (const dataDir of cuts) {
        const gateway = await createGateway(testConfig(dataDir), {
          ...TEST_OVERRIDES,
          clock: till.clock,
        });
        const { url } = await gateway.listen();
        const now = await served(url);
        const isNew = JSON.stringify(now) === JSON.stringify(after);
        expect(isNew || JSON.stringify(now) === JSON.stringify(before), dataDir).toBe(true);
        if (isNew) exchanged += 1;
        else expect(exchanged, "once the new one is in force, it stays").toBe(0);
        // The start of the gateway deleted all rows that are not in force.
        await expect.poll(() => countRows(gateway.context.db)).toEqual([OFFERS + 1, 0]);
        await gateway.close();
      }
      expect(exchanged).toBeGreaterThan(1);
      expect(exchanged).toBeLessThan(cuts.length);
    },
  );

  it("blocks other writers for a hundred rows at most, and lets them write between its steps", async () => {
    const written: number[] = [];
    await watching({ written }, () => take(second));
    expect(written.length).toBeGreaterThan(8);
    expect(Math.max(...written)).toBeLessThanOrEqual(MAX_ROWS_WRITTEN);
    expect(await countRows(till.gateway.context.db)).toEqual([OFFERS + 1, 0]);
  });

  it("repeats its comparison if another import changes the catalog first", async () => {
    let isOther = true;
    await watching(
      {
        before(index) {
          if (index !== 3 || !isOther) return;
          isOther = false;
          void take({ vouchers: [] });
        },
      },
      () => take({ topups: second.topups, brands: second.brands }),
    );
    const { topups, vouchers } = await till.gateway.context.catalogUpdates.read(LIVE);
    expect(topups.map(({ offerId }) => offerId).sort()).toEqual(
      second.topups.map(({ offerId }) => offerId).sort(),
    );
    expect(vouchers).toEqual([]);
    await expect.poll(() => countRows(till.gateway.context.db)).toEqual([OFFERS, 0]);
  });

  it(
    "leaves damaged rows unchanged in sections that the import does not contain",
    onlySqlite(SERVER_KEEPS),
    async () => {
      const { db } = till.gateway.context;
      await sql`update offers set checksum = 1 where environment = 'live' and product_type = 'VOUCHER'`.execute(
        writerOf(db),
      );
      await take({ topups: second.topups });
      const { rows } = await sql<{ checksum: number }>`select checksum from offers
      where environment = 'live' and product_type = 'VOUCHER'`.execute(db);
      expect(rows).toEqual([{ checksum: 1 }]);
      await till.gateway.context.catalogUpdates.replace(LIVE, { vouchers: first.vouchers }, origin);
      await till.expectCleanBooks();
    },
  );

  it("leaves the old catalog and no other rows after its cancellation", async () => {
    const requireWanted = () => Promise.reject(new Error("disconnected"));
    const { catalogUpdates } = till.gateway.context;
    const taking = catalogUpdates.replace(LIVE, second, { ...origin, requireWanted });
    await expect(taking).rejects.toThrow("disconnected");
    expect(await served(till.url)).toEqual(before);
    expect(await countRows(till.gateway.context.db)).toEqual([OFFERS + 1, 0]);
  });
});

describe("the comparison with a new catalog", () => {
  it("lists each new, changed and removed item, and changes nothing", async () => {
    await take(first);
    const { catalogUpdates } = till.gateway.context;
    const before = await served(till.url);
    const { sections, items, version } = await catalogUpdates.compare(LIVE, second);
    const thirds = [1, 2].map((rest) => first.topups.filter((_, n) => n % 3 === rest).length);
    const [replaced, dearer] = thirds;
    expect(sections.topups).toEqual({ added: replaced, changed: dearer, removed: replaced });
    expect(items).toHaveLength(2 * replaced! + dearer!);
    const changed = items.find(({ id }) => id === "OFFER_2");
    expect(JSON.parse(changed!.before!)).toEqual(first.topups[2]);
    expect(JSON.parse(changed!.after!)).toEqual(second.topups[2]);
    expect(items.find(({ id }) => id === "NEW_1")).toMatchObject({ section: "topups" });
    expect(await served(till.url)).toEqual(before);
    expect((await take(second)).version).toBe(version + 1);
  });
});
