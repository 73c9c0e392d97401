import type { Tables } from "./tables.ts";

/**
 * Tables that every sale writes; no cached value depends on them. All other tables contain
 * conditions of sales: keys, prices, staff, settings.
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

/** Returns whether cached values stay valid after writes to these tables. */
export function isHistory(written: Iterable<string>): boolean {
  return [...written].every((table) => HISTORY.has(table));
}
