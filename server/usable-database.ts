import { existsSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { sql } from "kysely";
import { type GatewayConfig, StartupError } from "./config/config.ts";
import { type Db, databaseExists, databaseFile, openDatabase } from "./db/database.ts";
import { findSchemaVersion, migrate } from "./db/migrate.ts";
import { isRestoreUnfinished, listBackupFiles } from "./modules/backups/index.ts";

type Places = Pick<GatewayConfig, "dataDir" | "backupDir">;

/** What only another copy of the file can mend. */
const DAMAGE = /^SQLITE_(CORRUPT|NOTADB)/;

/**
 * Opens the database of a shop, or begins one where there never was any. A database that cannot be
 * used is left as it is, whatever ails it.
 * @throws StartupError in one line: what is wrong, and what to do
 */
export async function openUsableDatabase(
  places: Places,
  checks: { wholeFile?: boolean },
  onStatement?: (sql: string) => void,
): Promise<Db> {
  await refuseRemains(places);
  let db: Db | undefined;
  try {
    db = openDatabase(places.dataDir, onStatement);
    if (checks.wholeFile) await refuseDamaged(db);
    await refuseNewer(db, places);
    await migrate(db);
    return db;
  } catch (error) {
    await db?.destroy();
    if (error instanceof StartupError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
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

async function refuseDamaged(db: Db): Promise<void> {
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(db);
  const finding = rows[0]?.quick_check;
  if (finding !== "ok") throw new Damaged(`it is damaged (${finding?.replaceAll("\n", " ")})`);
}

async function refuseNewer(db: Db, places: Places): Promise<void> {
  const unknown = (await findSchemaVersion(db))?.unknown ?? [];
  if (unknown.length === 0) return;
  throw new StartupError(
    `The database ${databaseFile(places.dataDir)} was made by a newer Tillgate (${unknown.join(", ")}). Nothing was changed. Start that version or a later one.`,
  );
}

/** The very command that puts the newest backup in place. */
async function adviceFor({ dataDir, backupDir }: Places): Promise<string> {
  const [newest] = await listBackupFiles(backupDir);
  if (!newest) return `There is no backup in ${backupDir}.`;
  const elsewhere = backupDir === join(dataDir, "backups") ? "" : ` --backups "${backupDir}"`;
  const command = `npm run -s tillgate -- backup restore ${basename(newest.file)} --data "${dataDir}"${elsewhere}`;
  return `Restore the newest backup with: ${command}`;
}
