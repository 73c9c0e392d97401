import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writerOf } from "../testing/direct-writes.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";
import { openTill } from "../testing/test-till.ts";
import {
  CHECKED,
  CHECKED_TABLES,
  type CheckedTable,
  checksumOfNew,
  isIntact,
  UNCHECKED,
} from "./checksums.ts";
import { openDatabaseFile } from "./database.ts";
import { databaseFile } from "./database-files.ts";

let till: TestGateway;
beforeEach(async () => {
  till = await startTestGateway();
});
afterEach(() => till.close());

describe("database tables", () => {
  it("have checksums, or a stated reason for having none", async () => {
    const { rows } = await sql<{ name: string }>`select name from sqlite_schema
      where type = 'table' and name not like 'sqlite_%' and name not like 'kysely_%'`.execute(
      till.gateway.context.db,
    );
    const named = [...CHECKED_TABLES, ...Object.keys(UNCHECKED)];
    expect(rows.map(({ name }) => name).toSorted()).toEqual(named.toSorted());
    for (const reason of Object.values(UNCHECKED)) expect(reason.length).toBeGreaterThan(15);
  });

  it.each(CHECKED_TABLES)("%s has the columns that its checksum includes", async (table) => {
    const { rows } = await sql<{ name: string }>`
      select name from pragma_table_info(${table})`.execute(till.gateway.context.db);
    const columns = rows.map(({ name }) => name);
    expect(columns).toEqual(expect.arrayContaining([...CHECKED[table], "checksum"]));
  });
});

/** A change to each kind of row, as a disk error could make it. */
const DAMAGES: [CheckedTable, string][] = [
  ["accounts", "keep_details_days = keep_details_days + 1"],
  ["shops", "rate = '7.81'"],
  ["staff", `rights_json = '{"refund":true}'`],
  ["printers", "host = '192.168.1.9'"],
  ["environment_settings", "queue_enabled = 1 - queue_enabled"],
  ["api_keys", "hash = hash || '0'"],
  ["webhook_endpoints", "url = url || '0'"],
  ["esims", "iccid = '8901'"],
];

async function makeShop(): Promise<void> {
  await openTill(till);
  const { transactor, settings } = till.gateway.context;
  await settings.change({ accountId: "default" }, { test: { queueEnabled: false } });
  const esim = { offerId: "AIRALO_ES_1GB_7D", transactionId: "esim" };
  await till.v1("POST", "/esim/purchases", esim);
  await till.advance(5_000);
  await transactor.transact("default", async (tx) => {
    await sql`insert into printers (account_id, printer_id, name, host, port, paper, drawer, created_at)
      values ('default', 'p1', 'Front', '192.168.1.8', 9100, '80mm', 0, 1)`.execute(tx);
    await sql`insert into webhook_endpoints (account_id, environment, endpoint_id, kinds, url,
      secret_sealed, allow_private, created_at)
      values ('default', 'test', 'e1', 'TOPUP', 'http://h', 's', 0, 1)`.execute(tx);
  });
}

describe("row of a new sale", () => {
  it("stores the checksum that SQL calculates", async () => {
    await openTill(till);
    const { db, accountId, transactor } = till.gateway.context;
    const order = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };
    await till.v1("POST", "/topups/purchases", {
      ...order,
      transactionId: "new",
      sender: { country: "GT" },
    });
    for (const table of ["transactions", "purchases"] as const) {
      const { rows } = await sql`select transaction_id from ${sql.table(table)}
        where checksum is not null and ${isIntact(table)} and transaction_id = 'new'`.execute(db);
      expect([table, rows.length]).toEqual([table, 1]);
    }
    const row = { account_id: accountId, environment: "test", digest: "1", offer_json: "\ud800" };
    await transactor.transact(accountId, async (tx) => {
      expect(checksumOfNew(tx, "offer_versions", { ...row, offer_json: "{}" })).toBeTypeOf(
        "number",
      );
      expect(checksumOfNew(tx, "offer_versions", row)).toBeNull();
    });
  });
});

describe("row changed by a disk error", () => {
  it("causes an audit error in settings, staff, keys, connections and eSIMs", async () => {
    await makeShop();
    await till.expectCleanBooks();
    await till.gateway.close();
    const db = openDatabaseFile(databaseFile(till.dataDir), "write");
    for (const [table, change] of DAMAGES) {
      const broken = async () => {
        const { rows } = await sql`select 1 from ${sql.table(table)}
          where not (${isIntact(table)})`.execute(db);
        return rows.length;
      };
      expect([table, await broken()]).toEqual([table, 0]);
      await sql`update ${sql.table(table)} set ${sql.raw(change)}`.execute(writerOf(db));
      expect([table, (await broken()) > 0]).toEqual([table, true]);
    }
    await db.destroy();
    await till.restart();
    await expect(till.expectCleanBooks()).rejects.toThrow(/shops 1 was changed by something else/);
  });

  it("prevents sales if it contains the exchange rate", async () => {
    const owner = await openTill(till);
    const line = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };
    const sale = await owner.prepareSale([line]);
    await till.gateway.close();
    const db = openDatabaseFile(databaseFile(till.dataDir), "write");
    await sql`update shops set rate = '1' || rate`.execute(writerOf(db));
    await db.destroy();
    await till.restart();
    const refused = await owner.pos("POST", "/sales", sale);
    expect(refused.status).toBe(503);
    expect(refused.body.message).toMatch(/a fault of the disk changed what was stored of it/);
    const offers = await till.v1("GET", "/topups/offers?_limit=1&_offset=0");
    expect(offers.status).toBe(503);
  });
});
