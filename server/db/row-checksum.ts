import { crc32 } from "node:zlib";

type Value = string | number | bigint | null;

/** Implements `row_checksum(…)` in SQL: over the values in their order, each with its type and length. */
export function checksumOf(...values: Value[]): number {
  let text = "";
  for (const value of values) {
    if (text !== "") text += ",";
    text += typeof value === "string" ? `${value.length}"${value}` : `${value}`;
  }
  return crc32(text);
}
