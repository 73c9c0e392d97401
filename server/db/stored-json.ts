import type { Static, TSchema } from "typebox";
import { readJson } from "../lib/checked-json.ts";
import type { Tables } from "./tables.ts";

/** Columns of a table that hold JSON. */
type JsonColumn<Table extends keyof Tables> = Extract<keyof Tables[Table], `${string}_json`>;

/**
 * Reads the text of a column ending in `_json`.
 * @param row the row's id, for the error
 * @throws JsonMisfit naming the table, the column, the row and the field
 */
export function readColumn<Table extends keyof Tables, Schema extends TSchema>(
  schema: Schema,
  text: string,
  { table, column, row }: { table: Table; column: JsonColumn<Table>; row: string | number },
): Static<Schema> {
  return readJson(schema, text, () => `${table}.${column} of the row ${row}`);
}
