import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openDatabase, openDatabaseFile } from "./db/database.ts";
import { databaseFile } from "./db/database-files.ts";
import { findSchemaVersion, migrate } from "./db/migrate.ts";
import { migrations } from "./db/migrations/index.ts";
import { createGateway } from "./index.ts";
import { listBackupFiles } from "./modules/backups/index.ts";
import { writerOf } from "./testing/direct-writes.ts";
import { FakeClock } from "./testing/fake-clock.ts";
import { TEST_OVERRIDES, testConfig } from "./testing/first-day.ts";

/** A version that finds a database of an older one. */
let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "tillgate-update-"));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const BEFORE = "016-unfinished-index";

/** A shop's database as that version left it, with an account in it. */
async function makeOldDatabase(): Promise<void> {
  const db = openDatabase(dataDir);
  const known = Object.entries(migrations).filter(([name]) => name <= BEFORE);
  await migrate(db, Object.fromEntries(known));
  await sql`insert into accounts (account_id, wallet_currency, wallet_currency_divisor, created_at)
    values ('default', 'USD', 100, 1)`.execute(writerOf(db));
  await db.destroy();
}

function start(config: Partial<ReturnType<typeof testConfig>> = {}) {
  const overrides = { clock: new FakeClock(), ...TEST_OVERRIDES };
  return createGateway({ ...testConfig(dataDir), ...config }, overrides);
}

async function lastMigrationIn(file: string): Promise<string | undefined> {
  const db = openDatabaseFile(file, "read");
  try {
    const { rows } = await sql<{ name: string }>`
      select name from kysely_migration order by name desc limit 1`.execute(db);
    return rows[0]?.name;
  } finally {
    await db.destroy();
  }
}

it("makes a backup before it changes anything, and none where nothing is to change", async () => {
  await makeOldDatabase();
  await (await start()).close();
  const [backup, ...others] = await listBackupFiles(join(dataDir, "backups"));
  expect(others).toEqual([]);
  expect(await lastMigrationIn(backup!.file)).toBe(BEFORE);
  expect(await lastMigrationIn(databaseFile(dataDir))).not.toBe(BEFORE);

  await (await start()).close();
  expect(await listBackupFiles(join(dataDir, "backups"))).toHaveLength(1);
});

it("makes none of a database that did not exist", async () => {
  await (await start()).close();
  expect(readdirSync(dataDir)).not.toContain("backups");
});

it("names the backup where a migration fails, and leaves the database as it was", async () => {
  await makeOldDatabase();
  const db = openDatabase(dataDir);
  // The next version's table is there already, in whatever way it got there.
  await sql`create table give_back_tenders (kind text)`.execute(writerOf(db));
  await sql`pragma journal_mode = delete`.execute(writerOf(db));
  await db.destroy();
  const rowsBefore = await dump();
  await expect(start()).rejects.toThrow(
    /could not be brought up to date: .*already exists.* It is as it was\. A backup from before is in \S+\/backups\/tillgate-\d{8}T\d{6}Z\.db\./,
  );
  expect(await dump()).toEqual(rowsBefore);
  const [backup] = await listBackupFiles(join(dataDir, "backups"));
  expect(await lastMigrationIn(backup!.file)).toBe(BEFORE);
});

it("leaves the database as it was where rows would refer to nothing", async () => {
  await makeOldDatabase();
  const db = openDatabase(dataDir);
  await sql`pragma foreign_keys = off`.execute(writerOf(db));
  await sql`insert into shops (account_id, name, currency, currency_divisor, rate, language,
    till_environment, created_at, updated_at)
    values ('nobody', 'Shop', 'USD', 100, '1', 'en', 'test', 1, 1)`.execute(writerOf(db));
  await db.destroy();
  await expect(start()).rejects.toThrow(/1 rows would refer to nothing\. It is as it was/);
  expect(await lastMigrationIn(databaseFile(dataDir))).toBe(BEFORE);
});

it("keeps the backup with the database where the disk for backups is not there", async () => {
  await makeOldDatabase();
  await (await start({ backupDir: join(dataDir, "disk", "backups") })).close();
  expect(await listBackupFiles(join(dataDir, "backups"))).toHaveLength(1);
});

it("changes nothing where no backup can be made", async () => {
  await makeOldDatabase();
  // A file where the directory for backups would be.
  writeFileSync(join(dataDir, "backups"), "");
  await expect(start()).rejects.toThrow(/no backup of it could be made before \(.*backups: /);
  expect(await lastMigrationIn(databaseFile(dataDir))).toBe(BEFORE);
  rmSync(join(dataDir, "backups"));
  mkdirSync(join(dataDir, "backups"));
  await (await start()).close();
});

async function dump(): Promise<unknown> {
  const db = openDatabaseFile(databaseFile(dataDir), "read");
  try {
    const { rows } = await sql`select name, sql from sqlite_schema order by name`.execute(db);
    return [rows, await findSchemaVersion(db)];
  } finally {
    await db.destroy();
  }
}
