import { createHash } from "node:crypto";

/** The id of a line's sale: the same whenever the line is sold, so that it is sold once. */
export function saleIdOf(runId: string, line: number): string {
  const hex = createHash("sha256").update(`bulk sale ${runId} ${line}`).digest("hex");
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`];
  return [...parts, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join("-");
}

/** The id of a line's transaction, which the provider gets. */
export function transactionIdOf(runId: string, line: number): string {
  return `bulk-${runId}-${line}`;
}
