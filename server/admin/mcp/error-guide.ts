import { readFile } from "node:fs/promises";

export interface ErrorEntry {
  readonly code: string;
  readonly cause: string;
  readonly remedy: string;
}

/** Reads the tables of error codes in a guide: rows of code, cause and remedy. */
export async function readErrorGuide(file: string): Promise<ErrorEntry[]> {
  const markdown = await readFile(file, "utf8");
  const rows = markdown.matchAll(/^\|\s*`([A-Z_]+)`[^|]*\|([^|]+)\|([^|]+)\|$/gm);
  return [...rows].map(([, code = "", cause = "", remedy = ""]) => ({
    code,
    cause: cause.trim(),
    remedy: remedy.trim(),
  }));
}
