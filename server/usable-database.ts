import { existsSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { Background } from "./background/background.ts";
import { TASKS } from "./background/tasks.ts";
import { type GatewayConfig, StartupError } from "./config/config.ts";
import { keepChecksums } from "./db/checksums.ts";
import { type Db, openDatabase, openReaders } from "./db/database.ts";
import { databaseExists, databaseFile } from "./db/database-files.ts";
import { findSchemaVersion, migrate } from "./db/migrate.ts";
import type { WriteHealth } from "./db/write-health.ts";
import type { Clock } from "./lib/clock.ts";
import type { Ids } from "./lib/ids.ts";
import { describeStorageFault } from "./lib/storage-fault.ts";
import {
  clearAwayBackups,
  isRestoreUnfinished,
  listBackupFiles,
  writeBackup,
} from "./modules/backups/index.ts";

type Places = Pick<GatewayConfig, "dataDir" | "backupDir">;

interface Means {
  /** Reads the whole file first. */
  wholeFile: boolean;
  background: Background;
  clock: Clock;
  ids: Ids;
  health: WriteHealth;
}

/** What only another copy of the file can mend. */
const DAMAGE = /^SQLITE_(CORRUPT|NOTADB)/;

/**
 * Opens the database of a shop, or begins one where there never was any. A database that cannot be
 * used is left as it is, whatever ails it.
 * @throws StartupError in one line: what is wrong, and what to do
 */
export async function openUsableDatabase(
  places: Places,
  means: Means,
  onStatement?: (sql: string) => void,
): Promise<Db> {
  await refuseRemains(places);
  let db: Db | undefined;
  try {
    db = openDatabase(places.dataDir, { onStatement, counting: means });
    if (means.wholeFile) await refuseDamaged(databaseFile(places.dataDir), means.background);
    await refuseNewer(db, places);
    await bringUpToDate(db, places, means);
    await keepChecksums(db);
    return await openReaders(db, places.dataDir, onStatement);
  } catch (error) {
    await db?.destroy();
    if (error instanceof StartupError) throw error;
    const reason = reasonOf(error);
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    const isDamaged = error instanceof Damaged || DAMAGE.test(code);
    const advice = isDamaged ? ` Nothing was changed. ${await adviceFor(places)}` : "";
    const file = databaseFile(places.dataDir);
    throw new StartupError(`The database ${file} cannot be used: ${reason}.${advice}`);
  }
}

class Damaged extends Error {}

/** Refuses a directory in which there was a database: a new one in its place would hide that. */
async function refuseRemains(places: Places): Promise<void> {
  const { dataDir } = places;
  if (!existsSync(dataDir)) return;
  if (isRestoreUnfinished(dataDir)) {
    throw new StartupError(
      `A restore of ${dataDir} was interrupted. Start Tillgate: it completes the restore by itself.`,
    );
  }
  const file = databaseFile(dataDir);
  if (databaseExists(dataDir)) {
    if (statSync(file).size > 0) return;
    throw new StartupError(
      `The database ${file} cannot be used: it is empty. Nothing was changed. ${await adviceFor(places)}`,
    );
  }
  if (existsSync(`${file}-wal`)) {
    throw new StartupError(
      `The database ${file} is missing, but what was last written to it is there. Nothing was changed. Put the file back. ${await adviceFor(places)}`,
    );
  }
  if ((await listBackupFiles(places.backupDir)).length > 0) {
    throw new StartupError(
      `The database ${file} is missing, but there are backups. ${await adviceFor(places)} To begin anew, keep backups in another directory.`,
    );
  }
}

/** Sooner read than a thread begun. */
const SMALL_FILE_BYTES = 16_000_000;

async function refuseDamaged(file: string, background: Background): Promise<void> {
  const isSmall = statSync(file).size < SMALL_FILE_BYTES;
  const finding = isSmall
    ? await TASKS.findDamage({ file })
    : await background.run("findDamage", { file });
  if (finding) throw new Damaged(`it is damaged (${finding.replaceAll("\n", " ")})`);
}

async function refuseNewer(db: Db, places: Places): Promise<void> {
  const unknown = (await findSchemaVersion(db))?.unknown ?? [];
  if (unknown.length === 0) return;
  throw new StartupError(
    `The database ${databaseFile(places.dataDir)} was made by a newer Tillgate (${unknown.join(", ")}). Nothing was changed. Start that version or a later one.`,
  );
}

/**
 * Migrates a database that lacks migrations, after a backup of it was made and verified.
 * @throws StartupError that names the backup; the database is then as it was.
 */
async function bringUpToDate(db: Db, places: Places, means: Means): Promise<void> {
  const version = await findSchemaVersion(db);
  if (version?.pending.length === 0) return;
  const backup = version && (await backUp(places, means));
  try {
    await migrate(db);
  } catch (error) {
    if (!backup) throw error;
    throw new StartupError(
      `The database ${databaseFile(places.dataDir)} could not be brought up to date: ${reasonOf(error)}. It is as it was. A backup from before is in ${backup}. Start the version of Tillgate that ran before, and report this.`,
    );
  }
}

/**
 * Where backups are kept, or else in the data directory: a disk that is not plugged in today stops
 * no shop.
 * @returns the path of the backup
 */
async function backUp(places: Places, means: Means): Promise<string> {
  const { dataDir, backupDir } = places;
  const reasons: string[] = [];
  for (const dir of new Set([backupDir, join(dataDir, "backups")])) {
    try {
      const { file } = await writeBackup({ ...means, dataDir, dir });
      await clearAwayBackups(dir, means.clock.now());
      return file;
    } catch (error) {
      reasons.push(`${dir}: ${describeStorageFault(error) ?? reasonOf(error)}`);
    }
  }
  throw new StartupError(
    `The database ${databaseFile(dataDir)} has to be brought up to date, and no backup of it could be made before (${reasons.join("; ")}). Nothing was changed. Make room, then start Tillgate again.`,
  );
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The very command that puts the newest backup in place. */
async function adviceFor({ dataDir, backupDir }: Places): Promise<string> {
  const [newest] = await listBackupFiles(backupDir);
  if (!newest) return `There is no backup in ${backupDir}.`;
  const elsewhere = backupDir === join(dataDir, "backups") ? "" : ` --backups "${backupDir}"`;
  const command = `npm run -s tillgate -- backup restore ${basename(newest.file)} --data "${dataDir}"${elsewhere}`;
  return `Restore the newest backup with: ${command}`;
}
