import { CompiledQuery } from "kysely";
import type { Db } from "../db/database.ts";

/**
 * A value of a statement as `onStatement` hands it out: behind the sign that hides it from the planner,
 * and cut short where it is long.
 */
const HIDDEN_VALUE =
  /\+(?:'(?:[^']|'')*'(?:\/\*\+\d+ bytes\*\/)?|-?\d[\d.]*(?:e[+-]?\d+)?|NULL\b)/g;

/**
 * How SQLite carries out a statement that was executed, line by line. Its values are as unknown to
 * the planner as they were then (server/db/sqlite/query-compiler.ts).
 */
export async function explainPlan(db: Db, statement: string): Promise<string[]> {
  const sql = `explain query plan ${statement.replace(HIDDEN_VALUE, "+?")}`;
  const values = (statement.match(HIDDEN_VALUE) ?? []).map(() => null);
  const { rows } = await db.executeQuery<{ detail: string }>(CompiledQuery.raw(sql, values));
  return rows.map(({ detail }) => detail);
}
