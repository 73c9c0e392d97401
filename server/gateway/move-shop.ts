import { existsSync, renameSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { sql } from "kysely";
import { nameOfDatabase } from "../config/database.ts";
import { StartupError } from "../config/startup-error.ts";
import { removeWitness } from "../db/commit-witness.ts";
import { getConnections } from "../db/connections.ts";
import { type Db, openDatabaseFile, readSnapshot, type Tx } from "../db/database.ts";
import { databaseExists, databaseFile, lockDataDir } from "../db/database-files.ts";
import { findSchemaVersion, migrate } from "../db/migrate.ts";
import { EARLIER_REMEDY, isEarlier, isLastEarlier, migrations } from "../db/migrations/index.ts";
import { ExportFault, type Head, type WholeEnd } from "../db/moving/export-format.ts";
import { type FileTally, moveFiles, removeFiles } from "../db/moving/file-rows.ts";
import { readExport } from "../db/moving/read-export.ts";
import type { TableTools } from "../db/moving/table-facts.ts";
import { takeExport } from "../db/moving/take-export.ts";
import { writeExport } from "../db/moving/write-export.ts";
import { writeWhole } from "../db/moving/write-whole.ts";
import { SQLITE_TABLES } from "../db/sqlite/table-tools.ts";
import { systemClock } from "../lib/clock.ts";
import { findSealKeyId } from "../lib/sealer.ts";
import { describeFileFault } from "../lib/storage-fault.ts";
import { flushPath } from "../lib/write-file.ts";
import { auditSnapshot, listProblems } from "../modules/books/audit/index.ts";
import { recordAudit } from "../modules/books/audit-trail/index.ts";
import { reportsDirectory } from "../modules/books/reports/index.ts";
import {
  findUnreadable,
  isRestoreUnfinished,
  type Unreadable,
} from "../modules/safety/backups/index.ts";
import { VERSION } from "../version.ts";

interface Places {
  dataDir: string;
  /** Address of a PostgreSQL database; undefined for the file in the data directory. */
  database?: string | undefined;
}

const SHOWN_PROBLEMS = 5;

export interface Exported {
  whole: WholeEnd;
  reports: FileTally;
}

/**
 * Writes a shop's database and report files to one file, which gets its final name when it is
 * complete and on the disk. Tillgate must not run, because later sales would be missing.
 * @throws StartupError before anything is written
 */
export async function exportShop(places: Places, file: string): Promise<Exported> {
  if (existsSync(file)) throw new StartupError(`There is ${file} already. Nothing was written.`);
  return whileStopped(places, "Nothing was written.", async () => {
    const { db, tools } = await openShop(places);
    // This connection is closed after the read-only connection. A read-only connection cannot
    // checkpoint, so the audit entry would remain in the write-ahead log.
    const trail = places.database === undefined ? openTrail(places.dataDir) : db;
    try {
      return await readSnapshot(db, async (snapshot) => {
        const problems = await auditIn(snapshot);
        if (problems !== undefined) {
          throw new StartupError(
            `The books are not in order: ${problems}. Nothing was written. tillgate audit says it line by line.`,
          );
        }
        const reports = { files: 0, missing: 0 };
        const files = reportsDirectory(places.dataDir);
        const made = { program: VERSION, migrations: Object.keys(migrations).toSorted() };
        const whole = await writeWhole(file, async (handle) => {
          const source = { db: snapshot, tools, files, tally: reports };
          const written = await writeExport(source, handle, made, () => noteExport(trail, file));
          if (places.database !== undefined) await requirePlace(db);
          return written;
        });
        return { whole, reports };
      });
    } finally {
      await db.destroy();
      if (trail !== db) await closeTrail(trail);
    }
  });
}

function openTrail(dataDir: string): Db {
  return openDatabaseFile(databaseFile(dataDir), "write beside");
}

async function closeTrail(trail: Db): Promise<void> {
  await trail.destroy();
  // `destroy` does not close connections that were never used.
  for (const connection of getConnections(trail).sqlite) connection.close();
}

/**
 * Records the export in the audit trail of each account before the first byte is written, so that
 * even an incomplete export is recorded. The exported snapshot is older than the record, so both
 * database engines export the same file.
 */
async function noteExport(db: Db, file: string): Promise<void> {
  const [writer] = getConnections(db).writers;
  await writer.db.transaction().execute(async (tx) => {
    const at = systemClock.now();
    const accounts = await tx.selectFrom("accounts").select("account_id").execute();
    for (const { account_id: accountId } of accounts) {
      const entry = { accountId, staffId: undefined, subject: accountId, at };
      await recordAudit(tx, { ...entry, action: "shop.export", detail: { name: basename(file) } });
    }
  });
}

interface Imported extends Exported {
  unreadable: Unreadable;
}

/**
 * Creates a shop's database from an export. First reads the whole export, then writes in one
 * transaction, reads the rows back and audits them (rules#backup-export).
 * @throws StartupError without creating anything
 */
export async function importShop(places: Places, file: string): Promise<Imported> {
  return whileStopped(places, "Nothing was imported.", async () => {
    refuseShop(places.dataDir);
    await checkExport(file);
    const keyId = findSealKeyId(places.dataDir);
    const { database } = places;
    return database === undefined
      ? await importToFile(places.dataDir, file, keyId)
      : await importToServer(database, file, keyId);
  });
}

async function whileStopped<Value>(
  { dataDir }: Places,
  outcome: string,
  work: () => Promise<Value>,
): Promise<Value> {
  const lock = lockDataDir(dataDir);
  if (!lock) {
    throw new StartupError(
      `Tillgate is running on ${dataDir}: stop it first, a service with: sudo systemctl stop tillgate. ${outcome}`,
    );
  }
  try {
    return await work();
  } catch (error) {
    if (error instanceof ExportFault) throw new StartupError(`${error.message}. ${outcome}`);
    throw error;
  } finally {
    lock.release();
  }
}

async function openShop({ dataDir, database }: Places): Promise<{ db: Db; tools: TableTools }> {
  if (database !== undefined) return openShopOnServer(database);
  const file = databaseFile(dataDir);
  const db = openDatabaseFile(file, "read");
  const version = await findSchemaVersion(db);
  if (version?.pending.length === 0 && version.unknown.length === 0) {
    return { db, tools: SQLITE_TABLES };
  }
  await db.destroy();
  throw otherVersion(file, version?.isEarlier);
}

async function openShopOnServer(database: string) {
  const { db, tools, compareSchema } = await openServer(database, "Nothing was written.");
  const found = await compareSchema(db, migrations);
  if (typeof found === "object" && found.newer.length + found.pending.length === 0) {
    const { countExport } = await import("../db/postgres/exports-begun.ts");
    await countExport(db);
    return { db, tools };
  }
  await db.destroy();
  const name = nameOfDatabase(database);
  if (found !== "FOREIGN") throw otherVersion(name, found === "EARLIER");
  throw new StartupError(`There is no shop in the database ${name}.`);
}

function otherVersion(place: string, isOfEarlier = false): StartupError {
  if (isOfEarlier) {
    return new StartupError(
      `The database ${place} was made by an older Tillgate. Nothing was written. ${EARLIER_REMEDY}.`,
    );
  }
  return new StartupError(
    `The database ${place} is of another version than this Tillgate (${VERSION}). Start the one that you want to go on with, which brings it up to date, then export with it. Nothing was written.`,
  );
}

/** @throws StartupError if the database cannot be used, or a gateway runs on it */
async function openServer(database: string, outcome: string) {
  const [{ compareSchema, makeSchema }, opening, { POSTGRES_TABLES }] = await Promise.all([
    import("../db/postgres/create-schema.ts"),
    import("../db/postgres/open-database.ts"),
    import("../db/postgres/table-tools.ts"),
  ]);
  const name = nameOfDatabase(database);
  try {
    const db = await opening.openPostgresDatabase(database, { presence: "alone" });
    return { db, tools: POSTGRES_TABLES, compareSchema, makeSchema };
  } catch (error) {
    if (error instanceof opening.DatabaseTaken) {
      throw new StartupError(
        `Tillgate is running on the database ${name}: stop it first. ${outcome}`,
      );
    }
    throw new StartupError(`The database ${name} cannot be used: ${reasonOf(error)}. ${outcome}`);
  }
}

function refuseShop(dataDir: string): void {
  const file = databaseFile(dataDir);
  if (databaseExists(dataDir)) {
    throw new StartupError(
      `There is a shop in ${dataDir} already (${file}). Nothing was imported. Choose another directory with --data.`,
    );
  }
  if (existsSync(`${file}-wal`) || isRestoreUnfinished(dataDir)) {
    throw new StartupError(
      `There are remains of another database in ${dataDir}. Nothing was imported. Choose another directory with --data.`,
    );
  }
}

async function checkExport(file: string): Promise<void> {
  try {
    for await (const part of readExport(file)) if ("head" in part) requireVersion(part.head);
  } catch (error) {
    if (error instanceof StartupError) throw error;
    const reason = error instanceof ExportFault ? error.message : describeFileFault(error);
    throw new ExportFault(`The file ${file} cannot be used: ${reason}`, { cause: error });
  }
}

function requireVersion({ program, migrations: made }: Head): void {
  const applied = new Set(made);
  if (isLastEarlier(applied)) return;
  if (isEarlier(applied)) {
    throw new StartupError(
      `The file was written by Tillgate ${program} with a schema that this version (${VERSION}) does not read. Import it with that version, start the last version before this one on it, and export it with that. Nothing was imported.`,
    );
  }
  const known = Object.keys(migrations);
  const newer = made.filter((name) => !known.includes(name));
  const lacking = known.filter((name) => !made.includes(name));
  if (newer.length + lacking.length === 0) return;
  const [age, names] =
    newer.length > 0 ? (["a newer", newer] as const) : (["an older", lacking] as const);
  throw new StartupError(
    `The file was written by Tillgate ${program}, with ${age} schema (${names.join(", ")}), and this is ${VERSION}. Import it with that version, then start this one. Nothing was imported.`,
  );
}

/**
 * Builds the database under a temporary name, and renames it once it is complete, checked and on
 * the disk.
 */
async function importToFile(dataDir: string, file: string, keyId: string | undefined) {
  const building = join(dataDir, "tillgate.db.importing");
  const files = join(dataDir, "reports.importing");
  await removeBuilding(building);
  await removeFiles(files);
  try {
    await (await open(building, "wx", 0o600)).close();
    const db = openDatabaseFile(building, "write");
    let imported: Imported;
    try {
      await migrate(db);
      imported = await takeInto(db, file, { tools: SQLITE_TABLES, files, keyId });
    } finally {
      await db.destroy();
    }
    flushPath(building);
    removeWitness(dataDir);
    await moveFiles(files, reportsDirectory(dataDir));
    renameSync(building, databaseFile(dataDir));
    flushPath(dataDir);
    return imported;
  } finally {
    await removeBuilding(building);
    await removeFiles(files);
  }
}

async function removeBuilding(file: string): Promise<void> {
  for (const suffix of ["", "-journal"]) await rm(file + suffix, { force: true });
}

async function importToServer(database: string, file: string, keyId: string | undefined) {
  const [{ db, tools, makeSchema }, { requireServer }] = await Promise.all([
    openServer(database, "Nothing was imported."),
    import("./usable-postgres.ts"),
  ]);
  try {
    const name = nameOfDatabase(database);
    await requireServer(db, name);
    return await takeInto(db, file, {
      tools,
      keyId,
      async prepare(tx) {
        if (await makeSchema(tx, migrations, { at: systemClock.now() })) return;
        throw new StartupError(
          `The database ${name} has tables in it already. Nothing was imported. Give it an empty database of its own.`,
        );
      },
    });
  } finally {
    await db.destroy();
  }
}

interface Taking {
  tools: TableTools;
  /** Folder of the report files; undefined if report files are rows of the database. */
  files?: string;
  keyId: string | undefined;
  prepare?(tx: Tx): Promise<void>;
}

async function takeInto(
  db: Db,
  file: string,
  { tools, files, keyId, prepare }: Taking,
): Promise<Imported> {
  const [writer] = getConnections(db).writers;
  return writer.db.transaction().execute(async (tx) => {
    await prepare?.(tx);
    const taken = await takeExport(tx, file, { tools, files });
    const problems = await auditIn(tx);
    if (problems !== undefined) {
      throw new ExportFault(`The books in ${file} are not in order: ${problems}`);
    }
    return { ...taken, unreadable: await findUnreadable(tx, { keyId }) };
  });
}

/**
 * @throws if the connection that reserves the database was lost: other processes could then sell
 */
async function requirePlace(db: Db): Promise<void> {
  const [writer] = getConnections(db).writers;
  await sql`select 1`.execute(writer.db);
}

async function auditIn(db: Db | Tx): Promise<string | undefined> {
  const problems = listProblems(await auditSnapshot(db));
  return problems.length === 0 ? undefined : problems.slice(0, SHOWN_PROBLEMS).join("; ");
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
