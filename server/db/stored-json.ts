import type { Static, TSchema } from "typebox";
import { readJson } from "../lib/checked-json.ts";
import type { Tables } from "./tables.ts";

type JsonColumn<Table extends keyof Tables> = Extract<keyof Tables[Table], `${string}_json`>;

/**
 * Parses the text of a column whose name ends in `_json`.
 * @param row id of the row, for the error
 * @throws JsonMisfit naming the table, column, row and field
 */
export function readColumn<Table extends keyof Tables, Schema extends TSchema>(
  schema: Schema,
  text: string,
  { table, column, row }: { table: Table; column: JsonColumn<Table>; row: string | number },
): Static<Schema> {
  return readJson(schema, text, () => `${table}.${column} of the row ${row}`);
}
