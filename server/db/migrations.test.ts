import { createHash } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { auditBooks } from "../modules/books/audit/index.ts";
import {
  fillSeparateTables,
  MERGED_CONTENT,
  readMergedTables,
} from "../testing/separate-tables.ts";
import { CHECKED } from "./checksums.ts";
import { type Db, openScratchDatabase } from "./database.ts";
import { findSchemaVersion, migrate } from "./migrate.ts";
import {
  addTrigger,
  makeAppendOnly,
  renewChecksumsOf,
  tableEnd,
  whole,
} from "./migration-words.ts";
import { CHECKED_BEFORE } from "./migrations/005-channel-and-key.ts";
import { migrations } from "./migrations/index.ts";

let db: Db;
beforeEach(async () => {
  db = openScratchDatabase();
  await migrate(db);
});
afterEach(() => db.destroy());

const AT = 1_768_469_400_000;

const ROWS = [
  `insert into accounts (account_id, wallet_currency, wallet_currency_divisor, created_at)
    values ('default', 'USD', 100, ${AT})`,
  `insert into staff (account_id, staff_id, name, role, pin_hash, active, failed_attempts, created_at)
    values ('default', 'olga', 'Olga', 'owner', 'x', 1, 0, ${AT})`,
  `insert into printers (account_id, printer_id, name, host, port, paper, drawer, created_at)
    values ('default', 'a', 'P', 'printer', 9100, '80mm', 0, ${AT})`,
];

const WEBHOOK_ROWS = [
  ROWS[0] ?? "",
  `insert into webhook_endpoints (account_id, environment, endpoint_id, kind, url, secret_sealed,
      allow_private, created_at)
    values ('default', 'test', 'e', 'TOPUP', 'http://h/', 's', 0, ${AT})`,
  `update webhook_endpoints set checksum = row_checksum(account_id, environment, endpoint_id, kind,
    url, header_name, header_value_sealed, secret_sealed, allow_private, created_at, paused_at,
    removed_at)`,
  ...["sale-1", "sale-2"].map(
    (id) => `insert into transactions (account_id, environment, transaction_id, type, product_type,
      status, amount, currency, currency_divisor, created_at, updated_at)
    values ('default', 'test', '${id}', 'DEBIT', 'TOPUP', 'ACCEPTED', 1, 'USD', 100, ${AT}, ${AT})`,
  ),
  `insert into webhook_deliveries (account_id, environment, delivery_id, endpoint_id,
      transaction_id, body, state, created_at)
    values ('default', 'test', 'z', 'e', 'sale-1', 'b', 'DELIVERED', ${AT}),
      ('default', 'test', 'a', 'e', 'sale-2', 'b', 'PENDING', ${AT})`,
  `insert into webhook_attempts (account_id, environment, delivery_id, position, began_at, ended_at,
      status)
    values ('default', 'test', 'z', 0, ${AT}, ${AT}, 200)`,
];

const LATER: Migration = {
  async up(tx: Kysely<unknown>): Promise<void> {
    await sql`alter table printers add column copies ${whole} not null default 1`.execute(tx);
    await sql`create table notes (account_id text not null references accounts, note text not null)
      ${tableEnd}`.execute(tx);
    await makeAppendOnly(tx, "notes");
    await addTrigger(tx, {
      name: "staff_noted",
      event: "after insert",
      table: "staff",
      body: "insert into notes (account_id, note) values (new.account_id, new.name);",
    });
    for (const table of ["accounts", "staff", "printers"] as const) {
      await renewChecksumsOf(tx, table, ["account_id", ...CHECKED[table]]);
    }
  },
};

describe("new database", () => {
  it("has every table, and no rows except the commit count", async () => {
    const { rows: tables } = await sql<{ name: string }>`select name from sqlite_schema
      where type = 'table' and name not like 'sqlite_%' and name not like 'kysely_%'`.execute(db);
    expect(tables.length).toBeGreaterThan(80);
    const filled: string[] = [];
    for (const { name } of tables) {
      const { rows } = await sql`select 1 from ${sql.table(name)}`.execute(db);
      if (rows.length > 0) filled.push(name);
    }
    expect(filled).toEqual(["commit_count"]);
    expect(await findSchemaVersion(db)).toEqual({ unknown: [], pending: [], isEarlier: false });
  });
});

/**
 * Size of the schema. Each additional table, index or trigger costs time in sales and backups, and
 * effort for readers. Lower these numbers when the schema shrinks. Raise them only with a reason in
 * `docs/decisions/`.
 */
const MOST = { table: 85, index: 120, trigger: 30 };

describe("schema", () => {
  it("has exactly the stated number of tables, indexes and triggers", async () => {
    const { rows } = await sql<{ type: keyof typeof MOST; count: number }>`
      select type, count(*) as count from sqlite_schema
      where type <> 'view' and tbl_name not like 'kysely_%' and name <> 'sqlite_sequence'
      group by type`.execute(db);
    expect(Object.fromEntries(rows.map(({ type, count }) => [type, count]))).toEqual(MOST);
  });
});

/** Never change the baseline: running shops would lack the change. Write a migration instead. */
const BASELINE_SHA256 = "86cbd8e8cc60508bd1a3f58c9b36a5699629d6a6ae78acf7bada8283b8b54f9b";

it("baseline is frozen", async () => {
  const baseline = openScratchDatabase();
  const { "001-baseline": first } = migrations;
  await migrate(baseline, { "001-baseline": first! });
  const { rows } = await sql<{ sql: string }>`select sql from sqlite_schema
    where sql is not null and name not like 'kysely_%' order by name`.execute(baseline);
  await baseline.destroy();
  const text = rows.map((row) => row.sql).join("\n");
  expect(createHash("sha256").update(text).digest("hex")).toBe(BASELINE_SHA256);
});

it("migration 008 keeps webhooks with their checksums, deliveries in their order, and attempts", async () => {
  const earlier = openScratchDatabase();
  const known = Object.entries(migrations).filter(([name]) => name < "008");
  await migrate(earlier, Object.fromEntries(known));
  for (const statement of WEBHOOK_ROWS) await sql.raw(statement).execute(earlier);
  await migrate(earlier);
  const { rows } = await sql`select d.delivery_id, d.kind, d.subject, d.state, e.kinds, a.status
    from webhook_deliveries d join webhook_endpoints e using (endpoint_id)
    left join webhook_attempts a using (delivery_id) order by sequence`.execute(earlier);
  const { checks } = await auditBooks(earlier);
  await earlier.destroy();
  const later = { kind: "TOPUP", kinds: "TOPUP" };
  expect(rows).toEqual([
    { ...later, delivery_id: "z", subject: "sale-1", state: "DELIVERED", status: 200 },
    { ...later, delivery_id: "a", subject: "sale-2", state: "PENDING", status: null },
  ]);
  const kept = checks.find(({ name }) => name === "what was stored is as it was written");
  expect(kept?.violations.filter((text) => text.startsWith("webhook"))).toEqual([]);
});

it("migration 011 keeps postings with their numbers and makes each the first leg", async () => {
  const earlier = openScratchDatabase();
  const known = Object.entries(migrations).filter(([name]) => name < "011");
  await migrate(earlier, Object.fromEntries(known));
  const columns = "account_id, environment, transaction_id, kind, amount, from_balance, to_balance";
  for (const statement of [
    ...WEBHOOK_ROWS.filter((text) => /into (accounts|transactions)/.test(text)),
    `insert into ledger_postings (posting_id, ${columns}, posted_at)
      values (3, 'default', 'test', 'sale-1', 'HOLD', 7, 93, 7, ${AT}),
        (8, 'default', 'test', 'sale-1', 'CAPTURE', 7, 0, 7, ${AT})`,
  ]) {
    await sql.raw(statement).execute(earlier);
  }
  await migrate(earlier);
  await sql
    .raw(`insert into ledger_postings (${columns}, posted_at)
      values ('default', 'test', 'sale-2', 'HOLD', 5, 88, 5, ${AT})`)
    .execute(earlier);
  const { rows } = await sql`select posting_id, kind, amount, from_balance, to_balance, leg
    from ledger_postings order by posting_id`.execute(earlier);
  const change = sql`update ledger_postings set leg = 2`.execute(earlier);
  await expect(change).rejects.toThrow("ledger_postings is append-only");
  await earlier.destroy();
  expect(rows).toEqual([
    { posting_id: 3, kind: "HOLD", amount: 7, from_balance: 93, to_balance: 7, leg: 1 },
    { posting_id: 8, kind: "CAPTURE", amount: 7, from_balance: 0, to_balance: 7, leg: 1 },
    { posting_id: 9, kind: "HOLD", amount: 5, from_balance: 88, to_balance: 5, leg: 1 },
  ]);
});

it("migration 015 keeps balances, and permits parts of the wallet that are not below zero", async () => {
  const earlier = openScratchDatabase();
  const known = Object.entries(migrations).filter(([name]) => name < "015");
  await migrate(earlier, Object.fromEntries(known));
  const insert = (name: string, balance: number) =>
    sql`insert into ledger_accounts (account_id, environment, name, currency, balance)
      values ('default', 'live', ${name}, 'USD', ${balance})`.execute(earlier);
  for (const statement of WEBHOOK_ROWS.filter((text) => /into accounts/.test(text))) {
    await sql.raw(statement).execute(earlier);
  }
  await insert("wallet.available", 7);
  await expect(insert("wallet.at.p2", 5)).rejects.toThrow(/check/i);
  await migrate(earlier);
  await insert("wallet.at.p2", 5);
  await expect(insert("wallet.at.p3", -1)).rejects.toThrow(/wallet_never_negative/);
  await expect(insert("wallet.other", 1)).rejects.toThrow(/check/i);
  const { rows } = await sql`select name, currency, balance from ledger_accounts
    where environment = 'live' order by name`.execute(earlier);
  await earlier.destroy();
  expect(rows).toEqual([
    { name: "wallet.at.p2", currency: "USD", balance: 5 },
    { name: "wallet.available", currency: "USD", balance: 7 },
  ]);
});

describe("database with separate tables of settings", () => {
  const { "001-baseline": first, "002-returned-lines": second } = migrations;

  it("keeps every setting, logo, catalog file and report when it is migrated", async () => {
    const earlier = openScratchDatabase();
    await migrate(earlier, { "001-baseline": first!, "002-returned-lines": second! });
    await sql.raw(ROWS[0] ?? "").execute(earlier);
    await fillSeparateTables(earlier);
    await migrate(earlier);
    expect(await readMergedTables(earlier)).toEqual(MERGED_CONTENT);
    await earlier.destroy();
  });
});

describe("database of the previous version", () => {
  beforeEach(async () => {
    for (const statement of ROWS) await sql.raw(statement).execute(db);
  });

  it("keeps its rows and gives them checksums when it is migrated", async () => {
    await migrate(db, { ...migrations, "999-later": LATER });
    const { rows } = await sql`select name, copies from printers`.execute(db);
    expect(rows).toEqual([{ name: "P", copies: 1 }]);
    const { checks } = await auditBooks(db);
    const kept = checks.find(({ name }) => name === "what was stored is as it was written");
    expect(kept?.violations).toEqual([]);
    await sql`insert into staff (account_id, staff_id, name, role, pin_hash, active,
        failed_attempts, created_at)
      values ('default', 'ana', 'Ana', 'clerk', 'x', 1, 0, ${AT})`.execute(db);
    expect((await sql`select note from notes`.execute(db)).rows).toEqual([{ note: "Ana" }]);
    await expect(sql`delete from notes`.execute(db)).rejects.toThrow("notes is append-only");
    const { unknown } = (await findSchemaVersion(db)) ?? {};
    expect(unknown).toEqual(["999-later"]);
  });

  it("remains unchanged if a migration would break references", async () => {
    const faulty: Migration = {
      async up(half) {
        await sql`update staff set account_id = 'nobody'`.execute(half);
      },
    };
    const known = { ...migrations, "999-faulty": faulty };
    await expect(migrate(db, known)).rejects.toThrow("1 rows would refer to nothing");
    expect((await findSchemaVersion(db))?.unknown).toEqual([]);
  });

  it("remains unchanged if any migration fails", async () => {
    const before = await findSchemaVersion(db);
    const faulty: Migration = {
      async up(half) {
        await sql`drop table printers`.execute(half);
        throw new Error("no space left");
      },
    };
    const known = { ...migrations, "998-later": LATER, "999-faulty": faulty };
    await expect(migrate(db, known)).rejects.toThrow("no space");
    expect(await findSchemaVersion(db)).toEqual(before);
    expect(await db.selectFrom("printers").selectAll().execute()).toHaveLength(1);
    await migrate(db);
    expect((await findSchemaVersion(db))?.pending).toEqual([]);
  });
});

/** Purchases of version 002: at a till, from a file, with a key, and with an unknown key. */
const PURCHASES = [
  `insert into offer_versions (account_id, environment, digest, offer_json)
    values ('default', 'test', 'd', '{}')`,
  ...["till", "bulk", "key", "old"].flatMap((id) => [
    `insert into transactions (account_id, environment, transaction_id, type, product_type, status,
        amount, currency, currency_divisor, created_at, updated_at)
      values ('default', 'test', '${id}', 'DEBIT', 'TOPUP', 'ACCEPTED', 1, 'USD', 100, ${AT}, ${AT})`,
    `insert into purchases (account_id, environment, transaction_id, offer_id, brand, brand_name,
        country, recipient, cost_base, cost_fee, price_base, price_fee, price_currency,
        price_currency_divisor, send, send_currency, send_currency_divisor, offer_version, input_json,
        key_id)
      values ('default', 'test', '${id}', 'o', 'b', 'B', 'GT', '', 1, 0, 1, 0, 'USD', 100, 1, 'USD',
        100, 'd', '{}', ${id === "key" ? "'k'" : "null"})`,
  ]),
  ...["till", "bulk"].flatMap((id, number) => [
    `insert into sales (account_id, environment, sale_id, sale_number, staff_id, currency,
        currency_divisor, total, discount, request_hash, created_at)
      values ('default', 'test', '${id}', ${number + 1}, 'olga', 'USD', 100, 1, 0, 'h', ${AT})`,
    `insert into sale_lines (account_id, environment, sale_id, position, transaction_id,
        product_type, recipient, price, discount, created_at)
      values ('default', 'test', '${id}', 0, '${id}', 'TOPUP', '', 1, 0, ${AT})`,
  ]),
  `insert into bulk_runs (account_id, environment, run_id, name, staff_id, state, request_hash,
      tender, created_at, confirmed_at)
    values ('default', 'test', 'r', 'n', 'olga', 'RUNNING', 'h', 'CASH', ${AT}, ${AT})`,
  `insert into bulk_lines (account_id, environment, run_id, line, state, cells_json, input_json,
      price, cost, sale_id, transaction_id, sold_at)
    values ('default', 'test', 'r', 1, 'SOLD', '[]', '{}', 1, 1, 'bulk', 'bulk', ${AT})`,
];

function migrationsBefore(name: string): Record<string, Migration> {
  return Object.fromEntries(Object.entries(migrations).filter(([known]) => known < name));
}

it("migration 005 gives each purchase the channel of its sale, and renews its checksum", async () => {
  const earlier = openScratchDatabase();
  await migrate(earlier, migrationsBefore("005"));
  for (const statement of [...ROWS, ...PURCHASES]) await sql.raw(statement).execute(earlier);
  const columns = CHECKED_BEFORE.join(", ");
  await sql.raw(`update purchases set checksum = row_checksum(${columns})`).execute(earlier);
  await sql`update purchases set recipient = '+502' where transaction_id = 'old'`.execute(earlier);
  await migrate(earlier);
  const { rows } = await sql`select transaction_id as id, channel, key_id, shop_cost
    from purchases order by channel, key_id`.execute(earlier);
  expect(rows).toEqual([
    { id: "till", channel: null, key_id: null, shop_cost: null },
    { id: "old", channel: "A", key_id: null, shop_cost: null },
    { id: "key", channel: "A", key_id: "k", shop_cost: null },
    { id: "bulk", channel: "B", key_id: null, shop_cost: null },
  ]);
  const { checks } = await auditBooks(earlier);
  const kept = checks.find(({ name }) => name === "what was stored is as it was written");
  // The damage of a row remains visible.
  const damaged = kept?.violations.filter((text) => text.startsWith("purchases"));
  expect(damaged).toEqual(["purchases 4 was changed by something else than Tillgate"]);
  await earlier.destroy();
});

it("an earlier connection is a gateway after the migration", async () => {
  const earlier = openScratchDatabase();
  await migrate(earlier, migrationsBefore("006"));
  await sql.raw(ROWS[0] ?? "").execute(earlier);
  await sql`insert into upstreams (account_id, environment, base_url, allow_private, connected_at)
    values ('default', 'live', 'https://gateway.example', 0, ${AT})`.execute(earlier);
  await migrate(earlier);
  const { rows } = await sql`select kind, base_url from upstreams`.execute(earlier);
  expect(rows).toEqual([{ kind: "gateway", base_url: "https://gateway.example" }]);
  await earlier.destroy();
});

it("migration 007 makes the connection of a shop its first provider, with its key and catalog", async () => {
  const earlier = openScratchDatabase();
  await migrate(earlier, migrationsBefore("007"));
  for (const statement of [...ROWS, ...PURCHASES]) await sql.raw(statement).execute(earlier);
  await sql`insert into upstreams (account_id, environment, kind, base_url, key_sealed,
      allow_private, connected_at, balance, balance_at, synced_at, approves_catalog)
    values ('default', 'live', 'reloadly', 'https://topups.example', 'sealed', 1, ${AT}, 7, ${AT},
      ${AT}, 1)`.execute(earlier);
  await sql`insert into waiting_catalogs (account_id, environment, key_sealed, fetched_at,
      difference_json, content)
    values ('default', 'live', 'sealed', ${AT}, '{}', x'01')`.execute(earlier);
  await sql`update upstreams set checksum = row_checksum(account_id, environment, base_url,
    key_sealed, allow_private, connected_at, hook_token_hash, hook_secret_sealed)`.execute(earlier);
  await migrate(earlier);
  const rows = await earlier.selectFrom("upstreams").selectAll().execute();
  expect(rows).toMatchObject([
    { provider_id: "first", name: "", paused_at: null, kind: "reloadly", key_sealed: "sealed" },
  ]);
  expect(rows).toMatchObject([
    { balance: 7, synced_at: AT, approves_catalog: 1, allow_private: 1 },
  ]);
  const waiting = await earlier.selectFrom("waiting_catalogs").selectAll().execute();
  expect(waiting).toMatchObject([{ provider_id: "first", fetched_at: AT, key_sealed: "sealed" }]);
  const sold = await earlier.selectFrom("purchases").select("provider_id").distinct().execute();
  expect(sold).toEqual([{ provider_id: null }]);
  const { checks } = await auditBooks(earlier);
  const kept = checks.find(({ name }) => name === "what was stored is as it was written");
  expect(kept?.violations.filter((text) => text.startsWith("upstreams"))).toEqual([]);
  await earlier.destroy();
});

it("migration 009 gives earlier keys all scopes and no expiry, and renews their checksums", async () => {
  const earlier = openScratchDatabase();
  await migrate(earlier, migrationsBefore("009"));
  await sql.raw(ROWS[0] ?? "").execute(earlier);
  await sql`insert into api_keys (key_id, account_id, environment, name, hash, hint, created_at)
    values ('k', 'default', 'test', 'Web shop', 'h', 'test_a', ${AT})`.execute(earlier);
  const columns = `account_id, environment, key_id, name, hash, hint, allowed_addresses_json,
    created_at, revoked_at`;
  await sql.raw(`update api_keys set checksum = row_checksum(${columns})`).execute(earlier);
  await migrate(earlier);
  const { rows } = await sql`select name, scopes, expires_at from api_keys`.execute(earlier);
  expect(rows).toEqual([{ name: "Web shop", scopes: "read sell reports", expires_at: null }]);
  const { checks } = await auditBooks(earlier);
  const kept = checks.find(({ name }) => name === "what was stored is as it was written");
  const violations = kept?.violations.filter((text) => text.startsWith("api_keys"));
  expect(violations).toEqual([]);
  await earlier.destroy();
});

it("migration 012 replaces no provider, and counts the days of a shop with two providers again", async () => {
  const earlier = openScratchDatabase();
  await migrate(earlier, migrationsBefore("012"));
  await sql.raw(ROWS[0] ?? "").execute(earlier);
  const sums = "sales, lines, paid, discount, tax, cost, wallet_cost, lines_back, paid_back";
  const others = "tax_back, cost_back, wallet_cost_back, discount_back, cash_rounding, taken";
  const all = `${sums}, ${others}, taken_back, sales_back, paid_refunded`.split(", ");
  for (const environment of ["test", "live"]) {
    await sql`insert into environment_settings (account_id, environment, queue_enabled,
        figures_until)
      values ('default', ${environment}, 1, 20000)`.execute(earlier);
    await sql`insert into day_figures (account_id, environment, dimension, quarter, value, currency,
        ${sql.raw(all.join(", "))}, check_sum)
      values ('default', ${environment}, 'BRAND', 0, 'TIGO', 'USD',
        ${sql.raw(all.map(() => "1").join(", "))}, ${all.length})`.execute(earlier);
  }
  for (const provider of ["first", "p2"]) {
    await sql`insert into upstreams (account_id, environment, provider_id, base_url, allow_private,
        connected_at)
      values ('default', 'live', ${provider}, 'https://gateway.example', 0, ${AT})`.execute(
      earlier,
    );
  }
  await migrate(earlier);
  const replaced = await earlier.selectFrom("upstreams").select("replaced_at").execute();
  expect(replaced).toEqual([{ replaced_at: null }, { replaced_at: null }]);
  const settings = await earlier
    .selectFrom("environment_settings")
    .select(["environment", "figures_until"])
    .orderBy("environment")
    .execute();
  expect(settings).toEqual([
    { environment: "live", figures_until: 0 },
    { environment: "test", figures_until: 20000 },
  ]);
  const kept = await earlier.selectFrom("day_figures").select("environment").execute();
  expect(kept).toEqual([{ environment: "test" }]);
  await earlier.destroy();
});

it("schema version of a database from before the baseline is marked as earlier", async () => {
  await sql`update kysely_migration set name = '001-foundation'
    where name = '001-baseline'`.execute(db);
  expect(await findSchemaVersion(db)).toMatchObject({ isEarlier: true });
});
