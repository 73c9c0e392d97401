import { sql } from "kysely";
import { type Db, openDatabaseFile } from "../../../db/database.ts";
import { databaseExists, databaseFile } from "../../../db/database-files.ts";
import { findSealKey } from "../../../lib/sealer.ts";
import { type BackupFile, listBackupFiles } from "./backup-files.ts";
import { type BackupFacts, readSealedBackup, unlockBackup } from "./backup-format.ts";
import type { SealedKit } from "./recovery-kit.ts";

/** State of the shop in a data directory. UNREADABLE: a database exists but cannot be read. */
export type CurrentShop =
  | { state: "NONE" }
  | { state: "UNREADABLE" }
  | { state: "SHOP"; name: string; beganAt: number };

export async function readCurrentShop(dataDir: string): Promise<CurrentShop> {
  if (!databaseExists(dataDir)) return { state: "NONE" };
  let db: Db | undefined;
  try {
    db = openDatabaseFile(databaseFile(dataDir), "read");
    const { name, beganAt } = await readShop(db);
    return name === undefined ? { state: "NONE" } : { state: "SHOP", name, beganAt };
  } catch {
    return { state: "UNREADABLE" };
  } finally {
    await db?.destroy();
  }
}

/** Reads the facts for a backup's header from a database, which may lack tables of this version. */
export async function readFacts(db: Db, takenAt: number): Promise<BackupFacts> {
  const shop = await readShop(db).catch(() => undefined);
  const { rows: migrations } = await sql<{ name: string }>`
    select name from kysely_migration order by name desc limit 1`.execute(db);
  const count = await db
    .selectFrom("commit_count")
    .select(["commits", "transactions"])
    .executeTakeFirst()
    .catch(() => undefined);
  return {
    shopName: shop?.name ?? "",
    shopBeganAt: shop?.beganAt ?? 0,
    environment: shop?.environment ?? null,
    engine: "sqlite",
    takenAt,
    schema: migrations[0]?.name ?? "",
    commits: count?.commits ?? 0,
    transactions: count?.transactions ?? 0,
    lastCommit: await describeLastCommit(db).catch(() => ""),
  };
}

async function readShop(db: Db) {
  const account = await db.selectFrom("accounts").select("created_at").executeTakeFirst();
  const shop = await db.selectFrom("shops").select(["name", "till_environment"]).executeTakeFirst();
  return {
    name: shop?.name,
    environment: shop?.till_environment ?? null,
    beganAt: account?.created_at ?? 0,
  };
}

/**
 * Returns the confirmed recovery kit, followed by the draft.
 * @param keyId undefined for all key files
 */
export async function listKits(db: Db, keyId: string | undefined): Promise<SealedKit[]> {
  let query = db.selectFrom("recovery_kits").select("content_json").orderBy("is_draft");
  if (keyId !== undefined) query = query.where("key_id", "=", keyId);
  const rows = await query
    .execute()
    // The database of an earlier version lacks this table.
    .catch(() => []);
  return rows.map(({ content_json }) => JSON.parse(content_json) as SealedKit);
}

/**
 * Reads the facts of a backup with the data directory's own key.
 * @returns undefined if the key does not decrypt the file
 */
export function readOwnFacts(file: string, dataDir: string): BackupFacts | undefined {
  try {
    const key = findSealKey(dataDir);
    return key && unlockBackup(readSealedBackup(file), key).facts;
  } catch {
    return undefined;
  }
}

/**
 * Finds the newest backup if no transaction was committed after it. Also compares the last commit's
 * time, because after a restore, another history can have the same number of commits.
 * @returns undefined if there is no such backup, or an earlier version's database does not count
 * commits
 */
export async function findBackupOfNow(
  db: Db,
  { dir, dataDir }: { dir: string; dataDir: string },
): Promise<BackupFile | undefined> {
  const [newest] = await listBackupFiles(dir);
  if (!newest) return undefined;
  try {
    const facts = readOwnFacts(newest.file, dataDir);
    return facts?.lastCommit === (await describeLastCommit(db)) ? newest : undefined;
  } catch {
    return undefined;
  }
}

async function describeLastCommit(db: Db): Promise<string> {
  const { rows } = await sql`
    select commits, transactions, committed_at from commit_count`.execute(db);
  const migrations = await sql`select name from kysely_migration order by name`.execute(db);
  return JSON.stringify([rows, migrations.rows]);
}
