import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Db, Tx } from "../db/database.ts";
import { isJson, jsonField, jsonLength, jsonTexts, randomUpTo } from "../db/engine-words.ts";
import { recountDay } from "../db/figure-sums.ts";
import { openEmptyPostgres } from "../testing/postgres-database.ts";
import { listAudit } from "./books/audit-trail/index.ts";
import { listAvailable } from "./books/wallet/index.ts";
import { pullDeliveries } from "./messages/webhooks/delivery-store.ts";
import { countRows, NO_SUMS } from "./office/figures/counted-rows.ts";
import {
  listLineRows,
  listMovementRows,
  listOwedRows,
} from "./office/figures/figure-rows-store.ts";
import {
  findUnsoundDays,
  sumHours,
  sumParts,
  sumSpans,
  sumTenders,
} from "./office/figures/figure-sums-store.ts";
import { readSending } from "./office/figures/first-page-service.ts";
import { sumTaxRates } from "./office/figures/money-service.ts";
import { listRows } from "./office/sales-office/transaction-rows.ts";
import { listPostings } from "./office/wallet-office/index.ts";
import * as monitoring from "./operations/monitoring/monitoring-service.ts";
import { sumUnheld } from "./selling/bulk-checkout/bulk-run-store.ts";

const HOUR = 3_600_000;
const scope = { accountId: "shop", environment: "test", currency: "GTQ" } as const;
const span = { from: HOUR / 2 - 1, until: 60 * HOUR + 1 };
const page = { span, after: undefined, limit: 5 };

let db: Db;

beforeAll(async () => {
  db = await openEmptyPostgres();
  await sql`insert into accounts (account_id, wallet_currency, wallet_currency_divisor, created_at)
    values ('shop', 'USD', 100, 0)`.execute(db);
});
afterAll(() => db.destroy());

describe("the queries on PostgreSQL", () => {
  it("add up, recount and list figures", async () => {
    expect(await sumSpans(db, scope, [span])).toEqual([NO_SUMS]);
    expect(await sumTenders(db, scope, span)).toEqual([]);
    expect(await sumParts(db, scope, span, "BRAND")).toEqual(new Map());
    const stretch = { from: 0, until: HOUR, date: 0, offset: 0 };
    expect(await sumHours(db, scope, [stretch], "date")).toEqual([]);
    const counted = { dimension: "TENDER", finalUntil: HOUR } as const;
    expect(await countRows(db, scope, { from: 0, until: HOUR }, counted)).toEqual([]);
    expect(await listAvailable(db, scope, [0, HOUR])).toEqual([0, 0]);
    expect(await findUnsoundDays(db, scope, span)).toEqual([]);
    await db.transaction().execute((tx) => recountDay(tx, scope, 0));
    expect(await listLineRows(db, scope, page, undefined)).toEqual([]);
    expect(await listMovementRows(db, scope, page)).toEqual([]);
    expect(await listOwedRows(db, scope, page)).toEqual([]);
    expect(await sumTaxRates(db, scope, span)).toEqual([]);
  });

  it("read the first page, the office's lists and the wallet statement", async () => {
    expect(await readSending(db, scope)).toMatchObject({ lines: 0 });
    for (const status of [undefined, "UNFINISHED", "DONE"] as const) {
      const after = { created_at: 5, transaction_id: "t" };
      const asked = { status, from: 0, until: HOUR, after, limit: 5 };
      expect(await listRows(db, scope, asked)).toEqual([]);
    }
    for (const kind of [undefined, "RECHARGE"] as const) {
      const asked = { kind, from: 0, until: HOUR, after: undefined, limit: 5 };
      expect(await listPostings(db, scope, asked)).toEqual([]);
    }
    expect(await listAudit(db, "shop", { staffId: "a", limit: 5 })).toEqual([]);
    expect(await sumUnheld(db, scope)).toBe(0);
  });

  it("count the monitored rows", async () => {
    await sql`insert into jobs (kind, subject, run_at, revision) values ('a', 'b', 5, 1)`.execute(
      db,
    );
    expect(await monitoring.countJobs(db, 9)).toEqual([
      { kind: "a", count: 1, due: 1, oldestDueAt: 5 },
    ]);
    expect(await monitoring.countUnfinished(db, "shop")).toEqual([]);
    expect(await monitoring.countUnreconciled(db, "shop")).toEqual([]);
    await sql`insert into ledger_accounts (account_id, environment, name, currency, balance)
      values ('shop', 'test', 'wallet.available', 'USD', 700)`.execute(db);
    expect(await monitoring.readWallets(db, "shop")).toEqual([
      { environment: "test", currency: "USD", currencyDivisor: 100, available: 700, held: 0 },
    ]);
    const endpoint = { accountId: "shop", environment: "test", endpointId: "e" } as const;
    const asked = (tx: Tx) => pullDeliveries(tx, endpoint, 2 ** 41, [1000, 60_000]);
    await db.transaction().execute((tx) => asked(tx));
  });

  it("process JSON and random numbers as on SQLite", async () => {
    const { rows } = await sql<{ text: string; none: null; items: number; json: boolean }>`
      with t as materialized (
        select '{"a":{"b":"x"},"list":[1,2]}' as j, '1.sealed' as sealed)
      select ${jsonField("j", "a", "b")} as text, ${jsonField("sealed", "a")} as none,
        ${jsonLength("j", "list")} as items, ${isJson("sealed")} as json from t`.execute(db);
    expect(rows).toEqual([{ text: "x", none: null, items: 2, json: false }]);
    const listed = await sql`select i.value as id from ${jsonTexts(["p", "q"])} i`.execute(db);
    expect(listed.rows).toEqual([{ id: "p" }, { id: "q" }]);
    const random = await sql<{ n: number }>`select ${randomUpTo(2 ** 48 - 1)} as n`.execute(db);
    expect(Number.isSafeInteger(random.rows[0]?.n)).toBe(true);
  });
});
