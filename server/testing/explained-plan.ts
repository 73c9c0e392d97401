import { CompiledQuery } from "kysely";
import type { Db } from "../db/database.ts";

/**
 * A value of a statement as `onStatement` reports it: after the sign that hides it from the planner, and
 * shortened if long.
 */
const HIDDEN_VALUE =
  /\+(?:'(?:[^']|'')*'(?:\/\*\+\d+ bytes\*\/)?|-?\d[\d.]*(?:e[+-]?\d+)?|NULL\b)/g;

/**
 * Returns SQLite's plan of an executed statement, line by line. The planner knows as little about its values
 * as at the execution (server/db/sqlite/query-compiler.ts).
 */
export async function explainPlan(db: Db, statement: string): Promise<string[]> {
  const sql = `explain query plan ${statement.replace(HIDDEN_VALUE, "+?")}`;
  const values = (statement.match(HIDDEN_VALUE) ?? []).map(() => null);
  const { rows } = await db.executeQuery<{ detail: string }>(CompiledQuery.raw(sql, values));
  return rows.map(({ detail }) => detail);
}
