import { existsSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { Background } from "../background/background.ts";
import { type GatewayConfig, LastingError, StartupError, VersionError } from "../config/config.ts";
import { keepChecksums } from "../db/checksums.ts";
import { type Db, openDatabase, openReaders } from "../db/database.ts";
import { databaseExists, databaseFile } from "../db/database-files.ts";
import { type CheckTime, FileCheck } from "../db/file-check.ts";
import { findSchemaVersion, migrate, type SchemaVersion } from "../db/migrate.ts";
import { EARLIER_REMEDY } from "../db/migrations/index.ts";
import { quickCheck } from "../db/sqlite/quick-check.ts";
import type { WriteHealth } from "../db/write-health.ts";
import type { Clock } from "../lib/clock.ts";
import type { Ids } from "../lib/ids.ts";
import { describeStorageFault } from "../lib/storage-fault.ts";
import {
  findBackupOfNow,
  isRestoreUnfinished,
  listBackupFiles,
  partName,
  writeBackup,
} from "../modules/safety/backups/index.ts";
import { noteMigration } from "../modules/safety/updates/index.ts";
import { COMMAND_LINE } from "../program.ts";

type Places = Pick<GatewayConfig, "dataDir" | "backupDir">;

interface Means {
  /** Result of reading the whole file; undefined if the file was not read completely. */
  wholeFile: WholeFile | undefined;
  background: Background;
  clock: Clock;
  ids: Ids;
  health: WriteHealth;
  version: string;
  isLight?: boolean;
}

export interface WholeFile {
  endedClean: boolean;
  /** Maximum size of a file that is read at opening after a crash, in bytes. */
  smallFileBytes: number;
}

/** Errors that only another copy of the file can fix. */
const DAMAGE = /^SQLITE_(CORRUPT|NOTADB)/;

/**
 * Opens or creates the database of a shop. An unusable database is not changed.
 * @throws StartupError with the error and the remedy in one line
 */
export async function openUsableDatabase(
  places: Places,
  means: Means,
  onStatement?: (sql: string) => void,
): Promise<{ db: Db; check: FileCheck }> {
  await refuseRemains(places);
  let db: Db | undefined;
  try {
    const { isLight = false } = means;
    db = openDatabase(places.dataDir, { onStatement, counting: means, isLight });
    const version = await findSchemaVersion(db);
    refuseOther(version, places);
    const when = chooseCheckTime(version, places, means);
    if (when === "at opening") await refuseDamaged(db, databaseFile(places.dataDir), means);
    await bringUpToDate(db, version, places, means);
    keepChecksums(db);
    db = await openReaders(db, places.dataDir, { onStatement, isLight });
    return { db, check: createCheck(places, means, when) };
  } catch (error) {
    await db?.destroy();
    if (error instanceof StartupError) throw error;
    const reason = reasonOf(error);
    if (isDamage(error)) throw await damageError(places, reason, { wasChanged: false });
    const file = databaseFile(places.dataDir);
    throw new StartupError(`The database ${file} cannot be used: ${reason}.`);
  }
}

export async function damageError(
  places: Places,
  reason: string,
  { wasChanged }: { wasChanged: boolean },
): Promise<StartupError> {
  const advice = `${wasChanged ? "" : "Nothing was changed. "}${await adviceFor(places)}`;
  const file = databaseFile(places.dataDir);
  return new LastingError(`The database ${file} cannot be used: ${reason}. ${advice}`);
}

/**
 * Chooses when to read the whole file (rules#fault-file-check):
 * - before an update: when the file is opened;
 * - after a crash: if the file is small, when it is opened; if it is large, before the first sale;
 * - otherwise: while the gateway sells.
 */
function chooseCheckTime(
  version: SchemaVersion | undefined,
  { dataDir }: Places,
  { wholeFile }: Means,
): CheckTime | "never" {
  if (!wholeFile) return "never";
  if (version?.pending.length !== 0) return "at opening";
  if (wholeFile.endedClean) return "beside work";
  const isSmall = statSync(databaseFile(dataDir)).size <= wholeFile.smallFileBytes;
  return isSmall ? "at opening" : "before work";
}

function createCheck(places: Places, { clock, background }: Means, when: CheckTime | "never") {
  const file = databaseFile(places.dataDir);
  return new FileCheck({
    when: when === "never" ? "at opening" : when,
    clock,
    sizeBytes: statSync(file).size,
    findDamage: async () => {
      try {
        return await findDamage(file, background, when === "before work");
      } catch (error) {
        if (!isDamage(error)) throw error;
        return reasonOf(error);
      }
    },
  });
}

class Damaged extends Error {}

/**
 * Refuses to create a database if parts of an old one exist, because a new database would hide the
 * loss.
 */
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
    throw new LastingError(
      `The database ${file} cannot be used: it is empty. Nothing was changed. ${await adviceFor(places)}`,
    );
  }
  if (existsSync(`${file}-wal`)) {
    throw new LastingError(
      `The database ${file} is missing, but what was last written to it is there. Nothing was changed. Put the file back. ${await adviceFor(places)}`,
    );
  }
  if ((await listBackupFiles(places.backupDir)).length > 0) {
    throw new LastingError(
      `The database ${file} is missing, but there are backups. ${await adviceFor(places)} To begin anew, keep backups in another directory.`,
    );
  }
}

/**
 * Refuses a damaged small file. Reads the file through the open connection, so that its pages are
 * read only once.
 */
async function refuseDamaged(
  db: Db,
  file: string,
  { wholeFile, background }: Means,
): Promise<void> {
  const isSmall = statSync(file).size <= (wholeFile?.smallFileBytes ?? 0);
  const finding = isSmall
    ? inWords(await quickCheck(db))
    : await findDamage(file, background, true);
  if (finding !== undefined) throw new Damaged(finding);
}

/**
 * @param isUrgent true if sales wait for the result
 * @returns a description of the damage; undefined for an intact file
 */
async function findDamage(
  file: string,
  background: Background,
  isUrgent: boolean,
): Promise<string | undefined> {
  return inWords(await background.run("findDamage", { file }, { isUrgent }));
}

function inWords(finding: string | undefined): string | undefined {
  return finding && `it is damaged (${finding.replaceAll("\n", " ")})`;
}

function isDamage(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return error instanceof Damaged || DAMAGE.test(code);
}

export class NewerDatabase extends LastingError {}

class MigrationError extends VersionError {
  override readonly isLasting = true;
}

function refuseOther(version: SchemaVersion | undefined, places: Places): void {
  const { unknown = [], isEarlier = false } = version ?? {};
  if (isEarlier) {
    throw new MigrationError(
      `The database ${databaseFile(places.dataDir)} was made by an older Tillgate, whose tables this version cannot change. Nothing was changed. ${EARLIER_REMEDY}.`,
    );
  }
  if (unknown.length === 0) return;
  throw new NewerDatabase(
    `The database ${databaseFile(places.dataDir)} was made by a newer Tillgate (${unknown.join(", ")}). Nothing was changed. Start that version or a later one.`,
  );
}

/**
 * Applies missing migrations after a verified backup.
 * @throws StartupError that names the backup; the database is unchanged
 */
async function bringUpToDate(
  db: Db,
  version: SchemaVersion | undefined,
  places: Places,
  means: Means,
): Promise<void> {
  if (version?.pending.length === 0) return;
  const backup = version && (await backUp(db, places, means));
  try {
    const at = means.clock.now();
    await migrate(db, undefined, (tx) => noteMigration(tx, { version: means.version, backup, at }));
  } catch (error) {
    if (!backup) throw error;
    const fault = describeStorageFault(error);
    const outcome = `The database ${databaseFile(places.dataDir)} could not be brought up to date: ${fault ?? reasonOf(error)}. It is as it was. A backup from before is in ${backup}.`;
    // The machine caused the error, so the version is not regarded as faulty.
    if (fault !== undefined) {
      throw new StartupError(`${outcome} Start Tillgate again once that is mended.`);
    }
    throw new MigrationError(
      `${outcome} Start the version of Tillgate that ran before, and report this.`,
    );
  }
}

/**
 * Makes a backup in the backup folder or, if that fails, in the data directory. If there is a
 * backup of the unchanged database, makes none: repeated failed starts must not displace other
 * backups.
 * @returns path of the backup
 */
async function backUp(db: Db, places: Places, means: Means): Promise<string> {
  const { dataDir, backupDir } = places;
  const reasons: string[] = [];
  for (const dir of new Set([backupDir, join(dataDir, "backups")])) {
    try {
      const there = await findBackupOfNow(db, { dir, dataDir });
      if (there && (await isGood(there.file, dataDir, means))) return there.file;
      const { file } = await writeBackup({ ...means, dataDir, dir, isFull: true });
      return file;
    } catch (error) {
      reasons.push(`${dir}: ${describeStorageFault(error) ?? reasonOf(error)}`);
    }
  }
  throw new StartupError(
    `The database ${databaseFile(dataDir)} has to be brought up to date, and no backup of it could be made before (${reasons.join("; ")}). Nothing was changed. Make room, then start Tillgate again.`,
  );
}

async function isGood(file: string, dataDir: string, { background, ids }: Means): Promise<boolean> {
  const scratch = join(dataDir, partName(ids.uuid()));
  const { problems } = await background.run("verifyBackup", { file, dataDir, scratch });
  return problems.length === 0;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function adviceFor({ dataDir, backupDir }: Places): Promise<string> {
  const [newest] = await listBackupFiles(backupDir);
  if (!newest) return `There is no backup in ${backupDir}.`;
  const elsewhere = backupDir === join(dataDir, "backups") ? "" : ` --backups "${backupDir}"`;
  const command = `${COMMAND_LINE} backup restore ${basename(newest.file)} --data "${dataDir}"${elsewhere}`;
  return `Restore the newest backup with: ${command}`;
}
