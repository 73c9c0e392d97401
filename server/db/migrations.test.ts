import { sql } from "kysely";
import { Migrator } from "kysely/migration";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { auditBooks } from "../modules/audit/index.ts";
import { type Db, openScratchDatabase } from "./database.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations/index.ts";

/** A shop's data goes through every later migration. */
let db: Db;
beforeEach(() => {
  db = openScratchDatabase();
});
afterEach(() => db.destroy());

async function migrateUpTo(last: string): Promise<void> {
  const known = Object.entries(migrations).filter(([name]) => name <= last);
  const provider = { getMigrations: async () => Object.fromEntries(known) };
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  expect(error).toBeUndefined();
}

const AT = 1_768_469_400_000;

/** One top-up of 26.35 GTQ, sold for a note of 50. */
const SOLD = [
  `insert into accounts (account_id, wallet_currency, wallet_currency_divisor, created_at)
    values ('default', 'USD', 100, ${AT})`,
  `insert into staff (account_id, staff_id, name, role, pin_hash, active, failed_attempts, created_at)
    values ('default', 'olga', 'Olga', 'owner', 'x', 1, 0, ${AT})`,
  `insert into transactions (account_id, environment, transaction_id, type, product_type, status,
      amount, currency, currency_divisor, created_at, updated_at, needs_reconciliation)
    values ('default', 'test', 't1', 'DEBIT', 'TOPUP', 'ACCEPTED', 297, 'USD', 100, ${AT}, ${AT}, 0)`,
  `insert into purchases (account_id, environment, transaction_id, offer_id, brand, brand_name,
      country, recipient, cost_base, cost_fee, price_base, price_fee, price_currency,
      price_currency_divisor, send, send_currency, send_currency_divisor, offer_json, input_json,
      attempts, attempt_state)
    values ('default', 'test', 't1', 'TIGO', 'TIGO', 'Tigo', 'GT', '+50251234567', 297, 0, 2600, 35,
      'GTQ', 100, 2500, 'GTQ', 100, '{}', '{}', 0, 'NONE')`,
  `insert into sales (account_id, environment, sale_id, sale_number, staff_id, currency,
      currency_divisor, total, tender_kind, tendered, change_given, request_hash, created_at)
    values ('default', 'test', 's1', 1, 'olga', 'GTQ', 100, 2635, 'CASH', 5000, 2365, 'h', ${AT})`,
  `insert into sale_lines (account_id, environment, sale_id, position, transaction_id, recipient,
      created_at)
    values ('default', 'test', 's1', 0, 't1', '+50251234567', ${AT})`,
  `insert into receipt_prints (account_id, environment, sale_id, copy_number, staff_id, printed_at)
    values ('default', 'test', 's1', 0, 'olga', ${AT})`,
];

describe("a sale from before a sale was paid in several ways", () => {
  it("was paid in cash, without a discount, and is otherwise as it was", async () => {
    await migrateUpTo("007-open-reconciliations");
    for (const statement of SOLD) await sql.raw(statement).execute(db);
    await migrate(db);
    const [sale] = await db.selectFrom("sales").selectAll().execute();
    expect(sale).toMatchObject({ sale_number: 1, total: 2_635, discount: 0, approved_by: null });
    expect(await db.selectFrom("sale_tenders").selectAll().execute()).toMatchObject([
      { sale_id: "s1", kind: "CASH", amount: 2_635, tendered: 5_000, reference: null },
    ]);
    expect(await db.selectFrom("sale_lines").selectAll().execute()).toMatchObject([
      { transaction_id: "t1", product_type: "TOPUP", price: 2_635, discount: 0, created_at: AT },
    ]);
    const { checks } = await auditBooks(db);
    const broken = checks.filter(({ violations }) => violations.length > 0);
    // A purchase that no gateway made has no log and no job.
    expect(broken.map(({ name }) => name).sort()).toEqual([
      "every unfinished purchase has a job that will take it on",
      "the last log entry of every transaction is its status",
    ]);
  });
});
