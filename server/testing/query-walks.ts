/** Tables that a statement may scan, because a shop has few of their rows. */
const FEW =
  /^(?:SCAN|SEARCH) (?:accounts|brands|brand_states|catalogs|environment_settings|staff|c|live_check_results|o|price_lists|provider_deviations|shops|upstreams|webhook_endpoints)\b/;
/** Plan steps that scan subqueries, constants or parameters instead of a table. */
const OWN =
  /^SCAN (?:j VIRTUAL TABLE|q|f|\(subquery|CONSTANT|\d+-ROW|rows|(?:moved|opened|closed)$)/;
/** Plan steps whose index restricts rows only by account and environment. */
const OF_ACCOUNT_ONLY = /\(account_id=\? AND environment=\?\)$/;
/** Partial indexes that contain only unfinished or open rows. */
const PARTIAL = /transactions_unfinished|transactions_to_reconcile|shifts_one_open|alerts_open/;

/** Returns whether a plan step scans all sales. */
export function isWalk(step: string): boolean {
  if (FEW.test(step) || OWN.test(step) || PARTIAL.test(step)) return false;
  return step.startsWith("SCAN ") || OF_ACCOUNT_ONLY.test(step);
}
