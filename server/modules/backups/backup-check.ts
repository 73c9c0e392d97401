import { type Db, openDatabaseFile } from "../../db/database.ts";
import { damage } from "../../db/engine-words.ts";
import { findSchemaVersion } from "../../db/migrate.ts";
import { describeStorageFault } from "../../lib/storage-fault.ts";
import { auditBooks } from "../audit/index.ts";

export interface BackupCheck {
  /** In words, one for each; none for a good backup. */
  problems: string[];
  /** Made by an older version: its books can be audited once it has been brought up to date. */
  outdated: boolean;
}

/**
 * Opens a copy of a database and checks that it is whole and its books are in order.
 * @param mode "write" for a copy of ours, which becomes a single file by that
 */
export async function checkBackup(file: string, mode: "read" | "write"): Promise<BackupCheck> {
  let db: Db | undefined;
  try {
    db = openDatabaseFile(file, mode);
    return await check(db);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { problems: [describeStorageFault(error) ?? reason], outdated: false };
  } finally {
    await db?.destroy();
  }
}

async function check(db: Db): Promise<BackupCheck> {
  const version = await findSchemaVersion(db);
  if (!version) return { problems: ["it is not a database of Tillgate"], outdated: false };
  if (version.unknown.length > 0) {
    const problem = `it was made by a newer Tillgate (${version.unknown.join(", ")})`;
    return { problems: [problem], outdated: false };
  }
  if (version.pending.length > 0) {
    const { rows } = await damage.execute(db);
    return { problems: rows.map(({ violation }) => violation), outdated: true };
  }
  const { checks } = await auditBooks(db);
  const problems = checks.flatMap(({ name, violations }) =>
    violations.map((violation) => `${name}: ${violation}`),
  );
  return { problems, outdated: false };
}
