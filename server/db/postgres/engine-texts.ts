import type { EngineTexts } from "../engine-words.ts";
import { SEALED_MARK } from "./sealed-values.ts";

/** PostgreSQL chooses indexes and the order of joins by what it knows of the tables. */
export const POSTGRES_TEXTS: EngineTexts = {
  indexedBy: () => "",
  joinInOrder: "join",
  withoutIndex: "",
  jsonItems: ["jsonb_array_elements(cast(", " as jsonb))"],
  jsonTexts: ["jsonb_array_elements_text(cast(", " as jsonb))"],
  // The case keeps text that was encrypted from being read as JSON.
  jsonField: (column, path) =>
    `(case when ${column} is json then cast(${column} as jsonb) #>> '{${path.join(",")}}' end)`,
  jsonLength: (column, path) =>
    `jsonb_array_length(cast(${column} as jsonb) #> '{${path.join(",")}}')`,
  isJson: (column) => `${column} is json`,
  lastInserted: (table, column) => `currval(pg_get_serial_sequence('${table}', '${column}'))`,
  randomUpTo: (largest) => `random(cast(0 as bigint), cast(${largest} as bigint))`,
  inserted: "inserted",
  rowNumber: "ctid",
  // The server keeps both itself, checksums of pages and references.
  damage: "select '' as violation where false",
  brokenReferences: "select '' as violation where false",
  // The connection opens what begins with the mark.
  opened: [`'${SEALED_MARK}' || `, ""],
  hasChecksums: false,
};
