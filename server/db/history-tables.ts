import type { Tables } from "./tables.ts";

/**
 * Tables that every sale writes. No cached value is read from them. The other tables hold the
 * conditions of sales: keys, prices, people, settings.
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

/** Returns whether values cached between requests are still valid after these tables were written. */
export function isHistory(written: Iterable<string>): boolean {
  return [...written].every((table) => HISTORY.has(table));
}
