import { mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StartupError, VersionError } from "../config/startup-error.ts";
import { keepChecksums } from "../db/checksums.ts";
import { openDatabase, openDatabaseFile } from "../db/database.ts";
import { databaseFile } from "../db/database-files.ts";
import { findSchemaVersion, migrate } from "../db/migrate.ts";
import { EARLIER_LINES } from "../db/migrations/002-returned-lines.ts";
import { migrations } from "../db/migrations/index.ts";
import { WriteHealth } from "../db/write-health.ts";
import { createGateway } from "../index.ts";
import { SECOND } from "../lib/clock.ts";
import { checkDatabaseCopy } from "../modules/safety/backups/backup-check.ts";
import { listBackupFiles, readOwnFacts } from "../modules/safety/backups/index.ts";
import { writerOf } from "../testing/direct-writes.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { TEST_OVERRIDES, testConfig } from "../testing/first-day.ts";
import { asNewer } from "../testing/newer-version.ts";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "tillgate-update-"));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const BEFORE = Object.keys(migrations).at(-1);
/**
 * Error that the migration throws. An unexpected table would instead fail the backup before the
 * migration.
 */
const UNEXPECTED = new Error("this shop has what it did not expect");

async function makeOldDatabase(): Promise<void> {
  const db = openDatabase(dataDir);
  await migrate(db);
  keepChecksums(db);
  await sql`insert into accounts (account_id, wallet_currency, wallet_currency_divisor, created_at)
    values ('default', 'USD', 100, 1)`.execute(writerOf(db));
  await db.destroy();
}

function startNewer(config: Partial<ReturnType<typeof testConfig>> = {}) {
  return asNewer(() => start(config));
}

function start(config: Partial<ReturnType<typeof testConfig>> = {}, clock = new FakeClock()) {
  const overrides = { ...TEST_OVERRIDES, clock };
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

it("a gateway that cannot record the start of its version continues to run", async () => {
  const gateway = await start();
  const { db, updates } = gateway.context;
  await sql`alter table program_versions rename to renamed`.execute(writerOf(db));
  await expect(updates.noteWorks()).rejects.toThrow("program_versions");
  await expect(gateway.noteWorks()).resolves.toBeUndefined();
  await gateway.close();
});

it("an update makes a backup before any change, and none if nothing changes", async () => {
  await makeOldDatabase();
  await (await startNewer()).close();
  const [backup, ...others] = await listBackupFiles(join(dataDir, "backups"));
  expect(others).toEqual([]);
  expect(readOwnFacts(backup!.file, dataDir)?.schema).toBe(BEFORE);
  expect(await lastMigrationIn(databaseFile(dataDir))).not.toBe(BEFORE);

  await (await startNewer()).close();
  expect(await listBackupFiles(join(dataDir, "backups"))).toHaveLength(1);
});

it("an update makes no backup of a database that did not exist", async () => {
  await (await start()).close();
  expect(readdirSync(dataDir)).not.toContain("backups");
});

it("a failed migration names its backup, and leaves the database unchanged", async () => {
  await makeOldDatabase();
  const db = openDatabase(dataDir);
  await sql`pragma journal_mode = delete`.execute(writerOf(db));
  await db.destroy();
  const rowsBefore = await dump();
  await expect(asNewer(() => start(), UNEXPECTED)).rejects.toThrow(
    /could not be brought up to date: .*did not expect.* It is as it was\. A backup from before is in \S+\/backups\/tillgate-\d{8}T\d{6}Z\.backup\./,
  );
  expect(await dump()).toEqual(rowsBefore);
  const [backup] = await listBackupFiles(join(dataDir, "backups"));
  expect(readOwnFacts(backup!.file, dataDir)?.schema).toBe(BEFORE);
});

describe("a service that repeats a start with a failing migration", () => {
  let clock: FakeClock;
  beforeEach(async () => {
    clock = new FakeClock();
    await makeOldDatabase();
    await sell("update accounts set created_at = 1");
  });

  /** Writes as the previous version does, which counts its commits. */
  async function sell(statement: string): Promise<void> {
    const db = openDatabase(dataDir, { counting: { clock, health: new WriteHealth(clock) } });
    keepChecksums(db);
    await writerOf(db)
      .transaction()
      .execute((tx) => sql.raw(statement).execute(tx));
    await db.destroy();
  }

  async function failToStart(): Promise<string> {
    clock.set(clock.now() + 2 * SECOND);
    const { message } = await asNewer(() => start({}, clock), UNEXPECTED).then(
      () => expect.unreachable(),
      (error: Error) => error,
    );
    return /A backup from before is in (\S+\.backup)\./.exec(message)?.[1] ?? message;
  }

  const list = async () =>
    (await listBackupFiles(join(dataDir, "backups"))).map(({ file }) => file);

  it("makes only one backup of the unchanged database, and deletes no other backup", {
    tags: ["thorough"],
  }, async () => {
    const first = await failToStart();
    for (let n = 0; n < 3; n++) expect(await failToStart()).toBe(first);
    expect(await list()).toEqual([first]);
  });

  it("makes another backup after any write", async () => {
    const first = await failToStart();
    await sell("update accounts set created_at = 2");
    const second = await failToStart();
    expect(await list()).toEqual([second, first]);
  });

  it("makes another backup if the existing backup is damaged", { tags: ["thorough"] }, async () => {
    const first = await failToStart();
    truncateSync(first, 40_960);
    expect(await failToStart()).not.toBe(first);
  });
});

it.each([
  ["the version", new Error("this shop has what it did not expect"), true],
  ["the machine", Object.assign(new Error("full"), { code: "SQLITE_FULL" }), false],
])(
  "a migration failure caused by %s is attributed to that cause",
  async (_who, fault, isVersion) => {
    await makeOldDatabase();
    const failed = await asNewer(() => start(), fault).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(StartupError);
    expect(failed instanceof VersionError).toBe(isVersion);
    expect(failed).toMatchObject({ isLasting: isVersion });
    expect(await lastMigrationIn(databaseFile(dataDir))).toBe(BEFORE);
  },
);

it("a database from before the baseline, and its backup, are refused with the remedy", async () => {
  await makeOldDatabase();
  const db = openDatabase(dataDir);
  await sql`update kysely_migration set name = '001-foundation' where name = ${BEFORE}`.execute(
    writerOf(db),
  );
  await db.destroy();
  const before = await dump();
  const remedy = /made by an older Tillgate.*tillgate export, then tillgate import/;
  const refused = await start().catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(VersionError);
  expect(refused).toMatchObject({ isLasting: true, message: expect.stringMatching(remedy) });
  expect(await dump()).toEqual(before);
  const { problems } = await checkDatabaseCopy(databaseFile(dataDir), "read");
  expect(problems.join()).toMatch(remedy);
});

it("an update stores its backup beside the database if the disk for backups is missing", async () => {
  await makeOldDatabase();
  await (await startNewer({ backupDir: join(dataDir, "disk", "backups") })).close();
  expect(await listBackupFiles(join(dataDir, "backups"))).toHaveLength(1);
});

it("a database with the first form of sale lines is backed up and migrated", async () => {
  const db = openDatabase(dataDir);
  const { "001-baseline": baseline } = migrations;
  await migrate(db, { "001-baseline": baseline! });
  for (const statement of EARLIER_LINES) await statement.execute(writerOf(db));
  keepChecksums(db);
  await sql`insert into accounts (account_id, wallet_currency, wallet_currency_divisor, created_at)
    values ('default', 'USD', 100, 1)`.execute(writerOf(db));
  await db.destroy();
  await (await start()).close();
  expect(await lastMigrationIn(databaseFile(dataDir))).toBe(BEFORE);
  const { problems } = await checkDatabaseCopy(databaseFile(dataDir), "read");
  expect(problems).toEqual([]);
  const [backup] = await listBackupFiles(join(dataDir, "backups"));
  expect(readOwnFacts(backup!.file, dataDir)?.schema).toBe("001-baseline");
});

it("an update that can make no backup changes nothing", async () => {
  await makeOldDatabase();
  // A file in place of the backup folder makes every backup fail.
  writeFileSync(join(dataDir, "backups"), "");
  await expect(startNewer()).rejects.toThrow(/no backup of it could be made before \(.*backups: /);
  expect(await lastMigrationIn(databaseFile(dataDir))).toBe(BEFORE);
  rmSync(join(dataDir, "backups"));
  mkdirSync(join(dataDir, "backups"));
  await (await startNewer()).close();
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
