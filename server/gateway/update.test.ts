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
import { WriteHealth } from "../db/write-health.ts";
import { createGateway } from "../index.ts";
import { SECOND } from "../lib/clock.ts";
import { checkDatabaseCopy } from "../modules/safety/backups/backup-check.ts";
import { listBackupFiles, readOwnFacts } from "../modules/safety/backups/index.ts";
import { writerOf } from "../testing/direct-writes.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { TEST_OVERRIDES, testConfig } from "../testing/first-day.ts";
import { asNewer } from "../testing/newer-version.ts";

/** A version that opens a database of an older one. */
let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "tillgate-update-"));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const BEFORE = "001-baseline";
/** The error of a migration. A table that exists already would make the backup before it fail. */
const UNEXPECTED = new Error("this shop has what it did not expect");

/** Creates a shop's database of the older version, with an account. */
async function makeOldDatabase(): Promise<void> {
  const db = openDatabase(dataDir);
  await migrate(db);
  keepChecksums(db);
  await sql`insert into accounts (account_id, wallet_currency, wallet_currency_divisor, created_at)
    values ('default', 'USD', 100, 1)`.execute(writerOf(db));
  await db.destroy();
}

/** Starts the newer version. */
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

it("a gateway that cannot record its start keeps running", async () => {
  const gateway = await start();
  const { db, updates } = gateway.context;
  await sql`alter table program_versions rename to renamed`.execute(writerOf(db));
  await expect(updates.noteWorks()).rejects.toThrow("program_versions");
  await expect(gateway.noteWorks()).resolves.toBeUndefined();
  await gateway.close();
});

it("a backup is made before any change, and none without a change", async () => {
  await makeOldDatabase();
  await (await startNewer()).close();
  const [backup, ...others] = await listBackupFiles(join(dataDir, "backups"));
  expect(others).toEqual([]);
  expect(readOwnFacts(backup!.file, dataDir)?.schema).toBe(BEFORE);
  expect(await lastMigrationIn(databaseFile(dataDir))).not.toBe(BEFORE);

  await (await startNewer()).close();
  expect(await listBackupFiles(join(dataDir, "backups"))).toHaveLength(1);
});

it("no backup is made of a database that did not exist", async () => {
  await (await start()).close();
  expect(readdirSync(dataDir)).not.toContain("backups");
});

it("a failed migration names the backup, and leaves the database unchanged", async () => {
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

describe("a service that repeats a start with a migration that fails", () => {
  let clock: FakeClock;
  beforeEach(async () => {
    clock = new FakeClock();
    await makeOldDatabase();
    await sell("update accounts set created_at = 1");
  });

  /** The write of a program of the version before, which counts its commits. */
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

  it("keeps one backup of the unchanged database, and deletes no other", {
    tags: ["thorough"],
  }, async () => {
    const first = await failToStart();
    for (let n = 0; n < 3; n++) expect(await failToStart()).toBe(first);
    expect(await list()).toEqual([first]);
  });

  it("makes another after any write", async () => {
    const first = await failToStart();
    await sell("update accounts set created_at = 2");
    const second = await failToStart();
    expect(await list()).toEqual([second, first]);
  });

  it("makes another if the existing one is damaged", { tags: ["thorough"] }, async () => {
    const first = await failToStart();
    truncateSync(first, 40_960);
    expect(await failToStart()).not.toBe(first);
  });
});

it.each([
  ["the version", new Error("this shop has what it did not expect"), true],
  ["the machine", Object.assign(new Error("full"), { code: "SQLITE_FULL" }), false],
])("a migration that fails on %s is blamed on the right cause", async (_who, fault, isVersion) => {
  await makeOldDatabase();
  const failed = await asNewer(() => start(), fault).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(StartupError);
  expect(failed instanceof VersionError).toBe(isVersion);
  expect(failed).toMatchObject({ isLasting: isVersion });
  expect(await lastMigrationIn(databaseFile(dataDir))).toBe(BEFORE);
});

it("a database from before the baseline is refused, and its backup, with the remedy", async () => {
  await makeOldDatabase();
  const db = openDatabase(dataDir);
  await sql`update kysely_migration set name = '001-foundation'`.execute(writerOf(db));
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

it("the backup is stored with the database if the disk for backups is missing", async () => {
  await makeOldDatabase();
  await (await startNewer({ backupDir: join(dataDir, "disk", "backups") })).close();
  expect(await listBackupFiles(join(dataDir, "backups"))).toHaveLength(1);
});

it("nothing is changed if no backup can be made", async () => {
  await makeOldDatabase();
  // A file in the place of the directory for backups.
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
