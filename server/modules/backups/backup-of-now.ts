import { sql } from "kysely";
import { type Db, openDatabaseFile } from "../../db/database.ts";
import { type BackupFile, listBackupFiles } from "./backup-files.ts";

/**
 * The newest backup, where nothing was committed to the database since it was made. A count of commits alone could be
 * that of another past, which a restore ended: the moment of the last one is compared too.
 * @returns undefined where there is none, or the database does not count its commits yet
 */
export async function findBackupOfNow(db: Db, dir: string): Promise<BackupFile | undefined> {
  const [newest] = await listBackupFiles(dir);
  if (!newest) return undefined;
  let copy: Db | undefined;
  try {
    copy = openDatabaseFile(newest.file, "read");
    return (await describeLastCommit(copy)) === (await describeLastCommit(db)) ? newest : undefined;
  } catch {
    return undefined;
  } finally {
    await copy?.destroy();
  }
}

async function describeLastCommit(db: Db): Promise<string> {
  const { rows } = await sql`
    select commits, transactions, committed_at from commit_count`.execute(db);
  const migrations = await sql`select name from kysely_migration order by name`.execute(db);
  return JSON.stringify([rows, migrations.rows]);
}
