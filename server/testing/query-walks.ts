/** Tables that a walk through an index of is no walk through the years: a shop has few of their rows. */
const FEW =
  /^(?:SCAN|SEARCH) (?:accounts|alert_mail|brands|brand_states|catalogs|staff|c|live_check_results|o|owed_lines|price_lists|report_schedules|shops|wallet_alerts|webhook_endpoints)\b/;
/** What was computed by the statement itself, or given to it. */
const OWN =
  /^SCAN (?:j VIRTUAL TABLE|q|f|\(subquery|CONSTANT|\d+-ROW|rows|(?:moved|opened|closed|banked)$)/;
/** An index that is used for nothing but whose rows they are. */
const OF_ACCOUNT_ONLY = /\(account_id=\? AND environment=\?\)$/;
/** Indexes that hold no more than what is unfinished or open. */
const PARTIAL = /transactions_unfinished|transactions_to_reconcile|shifts_one_open|alerts_open/;

/** Whether a step is a walk through all that was ever sold. */
export function isWalk(step: string): boolean {
  if (FEW.test(step) || OWN.test(step) || PARTIAL.test(step)) return false;
  return step.startsWith("SCAN ") || OF_ACCOUNT_ONLY.test(step);
}
