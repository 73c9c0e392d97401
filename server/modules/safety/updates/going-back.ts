import { basename, join } from "node:path";
import { readWitness } from "../../../db/commit-witness.ts";
import { type Db, openDatabaseFile } from "../../../db/database.ts";
import { databaseExists, databaseFile } from "../../../db/database-files.ts";
import { findSchemaVersion } from "../../../db/migrate.ts";
import type { Clock } from "../../../lib/clock.ts";
import {
  isRestoreUnfinished,
  listBackupFiles,
  loadRestore,
  readOwnFacts,
} from "../backups/index.ts";
import { findLastMigration, findLastStarted, readCount } from "./version-store.ts";

interface Places {
  dataDir: string;
  backupDir: string;
}

/** What an older version did about the database that a newer one had changed. */
export interface GoneBack {
  /** The newer version. */
  version: string;
  /** Path of the backup that is the database now. */
  backup: string;
}

/** A database that a version has changed, and nobody has written since. */
interface Untouched extends GoneBack {
  /** The version that worked before. */
  before: string | undefined;
}

/**
 * Goes back to the database of before an update: where a newer version changed the tables and nothing of
 * the shop was written after that, the backup from before has everything there is (rules#backup-go-back). It is
 * done under the lock of the data directory, and the start after a power cut completes it.
 * @returns undefined where there is nothing to go back from, or something was written since
 */
export async function goBackIfUntouched(
  places: Places,
  { accountId, clock }: { accountId: string; clock: Clock },
): Promise<GoneBack | undefined> {
  const { dataDir } = places;
  if (!databaseExists(dataDir) || isRestoreUnfinished(dataDir)) return undefined;
  const found = await findUntouched(places, "made by a newer version");
  if (!found) return undefined;
  const { version, backup } = found;
  try {
    const { restoreBackup } = await loadRestore();
    await restoreBackup({
      dataDir,
      accountId,
      file: backup,
      now: clock.now(),
      audit: { action: "program.go-back", subject: version },
    });
    return { version, backup };
  } catch {
    // The database is as it was; opening it says what is the matter with it.
    return undefined;
  }
}

/**
 * What became of the database of a version that does not start. SAME: its tables are not changed. BACKUP: they
 * are, and nothing was written since. NO_BACKUP: the same, but what it would be put back from is not there.
 * WRITTEN: something of the shop was written since, but nothing was sold or recharged. SOLD: something was, or
 * nobody can tell.
 */
type Way = "SAME" | "BACKUP" | "NO_BACKUP" | "WRITTEN" | "SOLD";

/** Whether the version before can take the shop back from one that does not start: SAME and BACKUP. */
export async function findWayBack(
  places: Places,
  version: string,
): Promise<{ way: Way; before: string | undefined }> {
  if (!databaseExists(places.dataDir)) return { way: "SAME", before: undefined };
  try {
    const { migratedBy, before } = await readVersions(places.dataDir);
    if (migratedBy !== version) return { way: "SAME", before };
    const untouched = await findUntouched(places, "in any case");
    return { way: untouched ? "BACKUP" : await findWhy(places), before };
  } catch {
    return { way: "SOLD", before: undefined };
  }
}

/** Why nothing is put back. */
async function findWhy(places: Places): Promise<Way> {
  return reading(databaseFile(places.dataDir), async (db) => {
    const migration = await findLastMigration(db);
    const now = await readCount(db);
    const known = readWitness(places.dataDir);
    if (!migration) return "SOLD";
    if (Math.max(now.commits, known?.commits ?? 0) === migration.commits) return "NO_BACKUP";
    const backup = await findBackup(places, migration);
    if (backup === undefined) return "SOLD";
    const { transactions } = await readCountOfBackup(backup, places.dataDir);
    const isSame = Math.max(now.transactions, known?.transactions ?? 0) === transactions;
    return isSame ? "WRITTEN" : "SOLD";
  });
}

async function readVersions(dataDir: string) {
  return reading(databaseFile(dataDir), async (db) => ({
    migratedBy: (await findLastMigration(db))?.version,
    before: await findLastStarted(db),
  }));
}

/** undefined also where anything about it is not certain: then nothing is to be put in its place. */
async function findUntouched(
  places: Places,
  which: "made by a newer version" | "in any case",
): Promise<Untouched | undefined> {
  try {
    return await reading(databaseFile(places.dataDir), async (db) => {
      const unknown = (await findSchemaVersion(db))?.unknown ?? [];
      if (which === "made by a newer version" && unknown.length === 0) return undefined;
      const migration = await findLastMigration(db);
      if (!migration || (await readCount(db)).commits !== migration.commits) return undefined;
      // A log of writes that was lost would make a database look untouched.
      const witness = readWitness(places.dataDir);
      if (witness && witness.commits > migration.commits) return undefined;
      const backup = await findBackup(places, migration);
      const before = await findLastStarted(db);
      return backup === undefined ? undefined : { version: migration.version, backup, before };
    });
  } catch {
    return undefined;
  }
}

/** The very backup that was made before, wherever backups are kept now. */
async function findBackup(
  { dataDir, backupDir }: Places,
  { backup, commits }: { backup: string; commits: number },
): Promise<string | undefined> {
  for (const dir of new Set([backupDir, join(dataDir, "backups")])) {
    const found = (await listBackupFiles(dir)).find(({ name }) => name === basename(backup));
    if (!found) continue;
    // What was written between the backup and the change of the tables is not in it.
    const count = await readCountOfBackup(found.file, dataDir);
    if (count.commits === commits - 1) return found.file;
  }
  return undefined;
}

/** The counts of an encrypted backup are in its header; one of an earlier version is a database itself. */
async function readCountOfBackup(file: string, dataDir: string) {
  return readOwnFacts(file, dataDir) ?? (await reading(file, readCount));
}

async function reading<T>(file: string, work: (db: Db) => Promise<T>): Promise<T> {
  const db = openDatabaseFile(file, "read");
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}
