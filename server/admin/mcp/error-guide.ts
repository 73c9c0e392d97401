import { readFile } from "node:fs/promises";

export interface ErrorEntry {
  readonly code: string;
  readonly cause: string;
  readonly remedy: string;
}

/** The rows of a table with the columns code, cause and remedy. */
const TABLE = /^\|[^|]*\| cause \| remedy \|\n\|[-|]+\|\n((?:\|.*\n)*)/gm;
const ROW = /^\| `([A-Z_]+)`[^|]*\|([^|]+)\|([^|]+)\|$/gm;

/** Reads the tables of error codes in a guide. */
export async function readErrorGuide(file: string): Promise<ErrorEntry[]> {
  const markdown = await readFile(file, "utf8");
  const tables = [...markdown.matchAll(TABLE)].map(([, rows = ""]) => rows).join("");
  return [...tables.matchAll(ROW)].map(([, code = "", cause = "", remedy = ""]) => ({
    code,
    cause: cause.trim(),
    remedy: remedy.trim(),
  }));
}
