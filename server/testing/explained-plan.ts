import { CompiledQuery } from "kysely";
import type { Db } from "../db/database.ts";

/**
 * A value in a statement that `onStatement` reports. The "+" before the value hides it from the
 * planner. A long value is shortened.
 */
const HIDDEN_VALUE =
  /\+(?:'(?:[^']|'')*'(?:\/\*\+\d+ bytes\*\/)?|-?\d[\d.]*(?:e[+-]?\d+)?|NULL\b)/g;

/**
 * Returns SQLite's plan of an executed statement, line by line. As during the execution, the
 * planner does not know the values (server/db/sqlite/query-compiler.ts).
 */
export async function explainPlan(db: Db, statement: string): Promise<string[]> {
  const sql = `explain query plan ${statement.replace(HIDDEN_VALUE, "+?")}`;
  const values = (statement.match(HIDDEN_VALUE) ?? []).map(() => null);
  const { rows } = await db.executeQuery<{ detail: string }>(CompiledQuery.raw(sql, values));
  return rows.map(({ detail }) => detail);
}
