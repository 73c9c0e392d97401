import { CompiledQuery } from "kysely";
import type { Db } from "../db/database.ts";

/**
 * Matches a value in a statement that `onStatement` reports. The "+" hides the value from the
 * planner.
 */
const HIDDEN_VALUE =
  /\+(?:'(?:[^']|'')*'(?:\/\*\+\d+ bytes\*\/)?|-?\d[\d.]*(?:e[+-]?\d+)?|NULL\b)/g;

/**
 * Returns the lines of SQLite's plan for an executed statement. The planner does not see the values
 * (server/db/sqlite/query-compiler.ts).
 */
export async function explainPlan(db: Db, statement: string): Promise<string[]> {
  const sql = `explain query plan ${statement.replace(HIDDEN_VALUE, "+?")}`;
  const values = (statement.match(HIDDEN_VALUE) ?? []).map(() => null);
  const { rows } = await db.executeQuery<{ detail: string }>(CompiledQuery.raw(sql, values));
  return rows.map(({ detail }) => detail);
}
