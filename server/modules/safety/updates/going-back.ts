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

/** An undone update: the backup from before the update has replaced the database. */
export interface GoneBack {
  version: string;
  backup: string;
}

/** An update that changed the tables, and after which nothing was written. */
interface Untouched extends GoneBack {
  before: string | undefined;
}

/**
 * Undoes the update to a newer version, if it changed the tables and the shop wrote nothing after
 * the change (rules#backup-go-back). The backup from before the change then contains all data. The
 * caller has locked the data directory.
 * @returns undefined if there is nothing to undo, or something was written after the change
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
    // The start opens the unchanged database next, and reports the error.
    return undefined;
  }
}

/**
 * State of the database after a version that failed to start.
 * - SAME: that version did not change the tables.
 * - BACKUP: it changed them, and nothing was written after the change.
 * - NO_BACKUP: like BACKUP, but the backup from before the change is missing.
 * - WRITTEN: the shop wrote after the change, but sold and recharged nothing.
 * - SOLD: the shop sold or recharged after the change, or this cannot be determined.
 */
type Way = "SAME" | "BACKUP" | "NO_BACKUP" | "WRITTEN" | "SOLD";

/**
 * Returns the state of the database after a version that failed to start. For SAME and BACKUP, the
 * previous version can be installed again.
 */
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

/** @returns undefined if it is uncertain whether the shop wrote anything after the change */
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
      // If the write-ahead log was lost, the database only seems to be unchanged.
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

/** Finds the backup from before the change, even if the folder of the backups has changed. */
async function findBackup(
  { dataDir, backupDir }: Places,
  { backup, commits }: { backup: string; commits: number },
): Promise<string | undefined> {
  for (const dir of new Set([backupDir, join(dataDir, "backups")])) {
    const found = (await listBackupFiles(dir)).find(({ name }) => name === basename(backup));
    if (!found) continue;
    const count = await readCountOfBackup(found.file, dataDir);
    if (count.commits === commits - 1) return found.file;
  }
  return undefined;
}

/** Reads the counts from the header, or from the database of a backup without a header. */
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

/**
 * Returns advice about a version that does not start: whether the previous version can be installed
 * again, and how that affects the data.
 * @returns undefined if this version has worked before, or if no version has worked
 */
export async function adviceAfterFailure(
  places: Places,
  version: string,
): Promise<string | undefined> {
  const { way, before } = await findWayBack(places, version);
  if (before === undefined || before === version) return undefined;
  const install = `Install Tillgate ${before} again (Debian: sudo apt install --allow-downgrades ./tillgate_${before}_amd64.deb)`;
  switch (way) {
    case "SAME":
      return `Tillgate ${version} did not start, and changed nothing. ${install}: it goes on with everything there is.`;
    case "BACKUP":
      return `Tillgate ${version} did not start, and nothing was sold since it was installed. ${install}: it puts the backup from before the update back by itself, and nothing is lost.`;
    case "NO_BACKUP":
      return `Tillgate ${version} did not start, and nothing was sold since it was installed; but the backup from before the update is not where it was made. ${install} once the backup is there again, or else a later version; the data is kept as it is.`;
    case "WRITTEN":
      return `Tillgate ${version} does not start any more. Nothing was sold or recharged since it was installed, but something else was entered, which a backup would lack. Install a later version; the data is kept as it is.`;
    case "SOLD":
      return `Tillgate ${version} does not start any more, and has written since it was installed. Restore no backup: what was sold or recharged since would be missing. Install a later version; the data is kept as it is.`;
  }
}
