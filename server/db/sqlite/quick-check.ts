import { sql } from "kysely";
import type { Db } from "../handles.ts";

/**
 * Reads the whole file of a database.
 * @returns SQLite's findings; undefined for an intact file
 */
export async function quickCheck(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(db);
  const finding = rows[0]?.quick_check;
  return finding === "ok" ? undefined : (finding ?? "it cannot be checked");
}
