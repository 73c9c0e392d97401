import type { Tables } from "./tables.ts";

/**
 * What is written with every sale. Nothing that is remembered between requests is read from these;
 * all other tables hold what sales are decided by: keys, prices, people, settings.
 */
const HISTORY: ReadonlySet<string> = new Set<keyof Tables>([
  "changes",
  "commit_marks",
  "jobs",
  "ledger_accounts",
  "ledger_postings",
  "offer_versions",
  "purchases",
  "simulator_orders",
  "transaction_log",
  "transactions",
]);

/** Whether what is remembered between requests is still as it was read, after these were written to. */
export function isHistory(written: Iterable<string>): boolean {
  return [...written].every((table) => HISTORY.has(table));
}
