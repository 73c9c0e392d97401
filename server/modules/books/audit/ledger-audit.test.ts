import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Db, openDatabase } from "../../../db/database.ts";
import { databaseFile } from "../../../db/database-files.ts";
import { openPostgresDatabase } from "../../../db/postgres/open-database.ts";
import { DAY, HOUR, SECOND } from "../../../lib/clock.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { isOnPostgres, onlySqlite, SERVER_KEEPS } from "../../../testing/only-sqlite.ts";
import { createTestDatabase, dropTestDatabase } from "../../../testing/postgres-database.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill } from "../../../testing/test-till.ts";
import { type AuditReport, auditBooks } from "./index.ts";

let till: TestGateway;
/**
 * A copy of the database that no process has open: a directory, or a database name on the server.
 */
let sound: string;

beforeAll(async () => {
  till = await startTestGateway();
  const session = await openTill(till);
  const offerId = "TIGO_GT_TOPUP_25";
  const line = { offerId, recipientPhoneNumber: "+50251234567" };
  await session.sell([
    { ...line, transactionId: "done" },
    { ...line, transactionId: "done-too" },
  ]);
  const refused = { ...line, recipientPhoneNumber: "+50251239001", transactionId: "refused" };
  const { saleId } = (await session.sell([refused])).body;
  await till.advance(SECOND);
  const customerRefund = { customerRefundId: saleId, lines: ["refused"], kind: "CASH" };
  await session.pos("POST", `/sales/${saleId}/customer-refunds`, customerRefund);
  const esim = { offerId: "AIRALO_ES_1GB_7D", transactionId: "esim" };
  await till.v1("POST", "/esim/purchases", esim);
  await till.advance(2 * SECOND);
  // The figures of the first day are closed only after an event on the next day.
  await till.advance(DAY);
  await till.v1("POST", "/esim/purchases/esim/refund");
  await till.advance(6 * HOUR);
  const under = { ...line, recipientPhoneNumber: "+50251239004", transactionId: "under-way" };
  await till.v1("POST", "/topups/purchases", under);
  const period = { startGte: "2026-01-01T00:00:00Z", endLt: "2026-02-01T00:00:00Z" };
  await till.v1("POST", "/reports/transactions", period);
  await till.settle();
  const owner = await session.signIn(session.staffId, OWNER_PIN);
  const clerk = await owner.pos("POST", "/staff", { name: "Ana", role: "clerk", pin: "2583" });
  const ana = await owner.signIn(clerk.body.staffId, "2583");
  const { shift } = (await ana.pos("GET", "/shifts/current")).body;
  await ana.pos("POST", `/shifts/${shift.shiftId}/close`, { counted: 0 });
  await till.settle();
  // When the last connection closes, SQLite writes the write-ahead log into the database file,
  // which is then copied.
  await till.gateway.close();
  if (till.database !== undefined) {
    sound = new URL(till.database).pathname.slice(1);
    return;
  }
  sound = mkdtempSync(join(tmpdir(), "tillgate-audit-"));
  cpSync(databaseFile(till.dataDir), databaseFile(sound));
});
afterAll(async () => {
  await till.close();
  if (!isOnPostgres()) rmSync(sound, { recursive: true });
});

interface Lawless {
  db: Db;
  /** Restores the triggers, which are part of the audited schema. */
  restoreSchema(): Promise<void>;
  remove(): unknown;
}

/** Opens a copy of the intact database without constraints. */
async function openLawless(): Promise<Lawless> {
  if (isOnPostgres()) {
    const address = await createTestDatabase(sound);
    const db = await openPostgresDatabase(address);
    await sql.raw(ALLOW_ALL_ON_POSTGRES).execute(writerOf(db));
    return { db, restoreSchema: async () => {}, remove: () => dropTestDatabase(address) };
  }
  const copy = mkdtempSync(join(tmpdir(), "tillgate-audit-"));
  cpSync(databaseFile(sound), databaseFile(copy));
  const db = openDatabase(copy);
  const { rows } = await sql<{ name: string; text: string }>`
    select name, sql as text from sqlite_schema where type = 'trigger'`.execute(db);
  for (const statement of [
    ...rows.map(({ name }) => `drop trigger ${name}`),
    "pragma foreign_keys = off",
    "pragma ignore_check_constraints = on",
  ]) {
    await sql.raw(statement).execute(writerOf(db));
  }
  return {
    db,
    async restoreSchema() {
      for (const { text } of rows) await sql.raw(text).execute(writerOf(db));
    },
    remove: () => rmSync(copy, { recursive: true }),
  };
}

/** Makes the connection ignore triggers, references and checks. */
const ALLOW_ALL_ON_POSTGRES = `
  set session_replication_role = replica;
  do $$ declare one record; begin
    for one in select conrelid::regclass as place, conname from pg_constraint where contype = 'c'
      and connamespace = 'public'::regnamespace
    loop
      execute format('alter table %s drop constraint %I', one.place, one.conname);
    end loop;
  end $$`;

async function auditAfter(statements: string[]): Promise<AuditReport> {
  const { db, restoreSchema, remove } = await openLawless();
  try {
    for (const statement of statements) await sql.raw(statement).execute(writerOf(db));
    await restoreSchema();
    return await auditBooks(db);
  } finally {
    await db.destroy();
    await remove();
  }
}

function brokenIn(report: AuditReport): string[] {
  return report.checks.filter(({ violations }) => violations.length > 0).map(({ name }) => name);
}

const CAPTURE_OF_DONE = "transaction_id = 'done' and kind = 'CAPTURE'";

const CORRUPTIONS: Record<string, string[]> = {
  "what was sold in training moves no money and is in no shift": [
    "update transactions set training = 1 where transaction_id = 'done'",
  ],
  "every posting is of a transaction": [
    `update ledger_postings set transaction_id = 'none' where ${CAPTURE_OF_DONE}`,
  ],
  "every balance is the sum of its entries": [
    "update ledger_accounts set balance = balance + 1 where environment = 'test' and name = 'wallet.available'",
  ],
  "each entry carries the balance after it": [
    `update ledger_postings set to_balance = to_balance + 1 where ${CAPTURE_OF_DONE}`,
  ],
  "no wallet account was ever below zero": [
    `update ledger_postings set from_balance = -1 where ${CAPTURE_OF_DONE}`,
  ],
  "what is held is what unfinished purchases cost": [
    "update transactions set amount = amount + 1 where transaction_id = 'under-way'",
  ],
  "the postings of every purchase fit its status": [
    "update ledger_postings set kind = 'RELEASE' where kind = 'CAPTURE' and transaction_id = 'done'",
  ],
  "every posting moves the amount of its transaction": [
    "update transactions set amount = amount + 1 where transaction_id = 'done'",
  ],
  "the last log entry of every transaction is its status": [
    "update transaction_log set status = 'IN_PROGRESS' where status = 'DONE' and transaction_id = 'done'",
  ],
  "every unfinished purchase has a job that will take it on": ["delete from jobs"],
  "a purchase is confirmed if and only if it is done": [
    "update purchases set fulfilment_json = null where transaction_id = 'done'",
  ],
  "every sale is paid in full and has its lines": [
    "delete from sale_lines where transaction_id = 'done'",
  ],
  "the tax of a line is what its rate makes of it": [
    "update sale_lines set tax_kind = 'ON_PRICE', tax_percent = '19' where transaction_id = 'done'",
  ],
  "cash is rounded as far as it was taken, and goes back as it was rounded": [
    "update sales set cash_step = 500",
  ],
  "every line of a sale costs what its purchase does": [
    "update purchases set price_fee = price_fee + 1 where transaction_id = 'done'",
  ],
  "what was handed back was paid for lines that were returned": [
    "update customer_refund_lines set amount = amount + 1",
  ],
  "a refund is booked if and only if it is done, and refunds a purchase that is": [
    "update ledger_postings set kind = 'RECHARGE' where kind = 'REFUND'",
  ],
  "every unfinished refund has a job that will take it on": [
    "update transactions set status = 'IN_PROGRESS', finished_at = null where product_type = 'REFUND'",
  ],
  "every eSIM that was issued is known by its ICCID": ["delete from esims"],
  "the figures of closed days are those of the sales": [
    "update day_figures set cost = cost + 1 where dimension = 'BRAND'",
  ],
  "a line is returned and owed as its purchase and refunds say": [
    "update sale_lines set owed = 1 where transaction_id = 'done'",
  ],
  "every sale is in a shift of who sold it": [
    "update sales set shift_id = (select shift_id from z_reports) where sale_number = 1",
  ],
  "a shift is closed if and only if it has its report": ["update shifts set closed_at = null"],
  "the reports of shifts are numbered without a gap": ["update z_reports set z_number = 2"],
  "every report that was asked for has a job that will write it": [
    "update reports set status = 'REQUESTED', file_name = null",
  ],
  "no entry of the audit trail was removed": [
    "delete from audit_trail where entry_id = (select max(entry_id) from audit_trail)",
  ],
};

/**
 * Corruptions of a database file. A PostgreSQL server prevents them by page checksums and enforced
 * references.
 */
const OF_THE_FILE: Record<string, string[]> = {
  "what was stored is as it was written": [
    "update offers set offer_json = replace(offer_json, '2500', '2600') where offer_id = 'TIGO_GT_TOPUP_25' and environment = 'test'",
  ],
  "the database file is whole": [
    "update sales set total = -1 where sale_number = 1",
    "pragma ignore_check_constraints = off",
  ],
  "every reference leads somewhere": ["delete from staff"],
};

/**
 * The audit compares the schema of a database file only, because other programs may add tables to a
 * server's database.
 */
const OF_THE_SCHEMA: Record<string, string[]> = {
  "the tables and triggers are those of Tillgate": ["create table surplus (text)"],
};

describe("the audit of a database that the gateway wrote", () => {
  it("finds no violation, and the figures add up", async () => {
    const report = await auditAfter([]);
    expect(brokenIn(report)).toEqual([]);
    expect(report.clean).toBe(true);
    const [test, live] = report.figures;
    expect(test).toEqual({
      environment: "test",
      currency: "USD",
      currencyDivisor: 100,
      available: 100_000 - 3 * 297,
      held: 297,
      funded: 100_000,
      spent: 2 * 297,
      transactions: 7,
      unfinished: 1,
      postings: 1 + 2 + 2 + 2 + 3 + 1,
    });
    expect(live).toMatchObject({ environment: "live", funded: 0, available: 0, transactions: 0 });
  });

  it("has a test with a corrupted database for every invariant", async () => {
    const { checks } = await auditAfter([]);
    const ofEngine = isOnPostgres() ? {} : OF_THE_SCHEMA;
    const known = Object.keys({ ...CORRUPTIONS, ...OF_THE_FILE, ...ofEngine });
    expect(checks.map(({ name }) => name).sort()).toEqual(known.sort());
  });
});

describe("the audit of corrupted books", () => {
  it.each(Object.entries(CORRUPTIONS))("reports a violation of: %s", expectBroken);
  it.each(Object.entries({ ...OF_THE_FILE, ...OF_THE_SCHEMA }))(
    "reports a violation of: %s",
    onlySqlite(SERVER_KEEPS),
    expectBroken,
  );

  async function expectBroken(name: string, statements: string[]): Promise<void> {
    const report = await auditAfter(statements);
    expect(report.clean).toBe(false);
    expect(brokenIn(report)).toContain(name);
  }

  it.each([
    [
      "a hold that was never made",
      "delete from ledger_postings where transaction_id = 'under-way'",
    ],
    [
      "a hold that was settled twice",
      "update transactions set status = 'IN_PROGRESS' where transaction_id = 'refused'",
    ],
    [
      "a refused purchase that was captured",
      "update ledger_postings set kind = 'CAPTURE' where kind = 'RELEASE'",
    ],
  ])(
    "reports that the postings of a purchase do not fit its status: %s",
    async (_name, statement) => {
      const broken = brokenIn(await auditAfter([statement]));
      expect(broken).toContain("the postings of every purchase fit its status");
    },
  );

  it("accepts a purchase that moved to a cheaper provider, and finds its damaged postings", async () => {
    const own = "transaction_id = 'under-way'";
    const columns = `account_id, environment, transaction_id, kind, amount, from_balance, to_balance,
      posted_at, leg`;
    const moved = [
      `insert into ledger_postings (${columns}) select account_id, environment, transaction_id,
        'RELEASE', 297, 0, 99406, posted_at, 1 from ledger_postings where ${own}`,
      `insert into ledger_postings (${columns}) select account_id, environment, transaction_id,
        'HOLD', 250, 99156, 250, posted_at, 2 from ledger_postings where ${own} and kind = 'HOLD'`,
      "update ledger_accounts set balance = balance + 47 where environment = 'test' and name = 'wallet.available'",
      "update ledger_accounts set balance = 250 where environment = 'test' and name = 'wallet.held'",
      `update transactions set amount = 250 where ${own}`,
    ];
    // On SQLite, the checksum of the transaction finds the changed amount.
    const written = "what was stored is as it was written";
    const broken = brokenIn(await auditAfter(moved)).filter((name) => name !== written);
    expect(broken).toEqual([]);
    const damage = [
      [`amount = 296 where ${own} and kind = 'RELEASE'`, "every posting moves"],
      [`leg = 3 where ${own} and leg = 2`, "every posting moves"],
      [`kind = 'CAPTURE' where ${own} and kind = 'RELEASE'`, "the postings of every purchase fit"],
    ];
    for (const [change = "", name = ""] of damage) {
      const report = await auditAfter([...moved, `update ledger_postings set ${change}`]);
      expect(brokenIn(report).join()).toContain(name);
    }
  });

  it.each([
    "delete from day_figures",
    "delete from day_figures where dimension = 'CLERK'",
    "update day_figures set taken = taken + 1 where dimension = 'TENDER'",
    "update day_figures set quarter = quarter + 96",
    "update day_figures set check_sum = check_sum + 1",
    "update environment_settings set figures_until = 0",
  ])("reports that the figures of closed days are wrong: %s", async (statement) => {
    const broken = brokenIn(await auditAfter([statement]));
    expect(broken).toEqual(["the figures of closed days are those of the sales"]);
  });

  it("reports a confirmation stored for a failed purchase", async () => {
    const forged = "update purchases set fulfilment_json = '{}' where transaction_id = 'refused'";
    const broken = brokenIn(await auditAfter([forged]));
    expect(broken).toContain("a purchase is confirmed if and only if it is done");
  });

  it("lists ten violations and the number of further violations", async () => {
    const many = `insert into ledger_postings
      (account_id, environment, transaction_id, kind, amount, from_balance, to_balance, posted_at)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 15)
      select 'default', 'test', 'none-' || i, 'HOLD', 0, 0, 0, 0 from n`;
    const { checks } = await auditAfter([many]);
    const [first] = checks;
    expect(first?.violations).toHaveLength(11);
    expect(first?.violations.at(-1)).toBe("and 5 more");
  });
});
