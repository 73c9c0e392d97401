import type { Environment } from "../../contract/common.ts";
import type { AlertCause, AlertKind, AlertLevel } from "../../contract/pos/alerts.ts";

/** What an owner should see to, and whom it is told by mail. */
export interface AlertTables {
  alerts: AlertsTable;
  alert_mail: AlertMailTable;
}

/** One thing from when it was found until it was well again. */
interface AlertsTable {
  account_id: string;
  alert_id: string;
  /** Null for what is of the whole shop. */
  environment: Environment | null;
  kind: AlertKind;
  /** Which one of its kind: a brand, a person; empty where there is one of the kind. */
  subject: string;
  cause: AlertCause;
  level: AlertLevel;
  /** The most urgent that it was since it was opened. */
  worst_level: AlertLevel;
  /** What it was silenced for: another mark ends the silence. */
  mark: string;
  facts_json: string;
  opened_at: number;
  resolved_at: number | null;
  silenced_at: number | null;
  silenced_by: string | null;
  /** Since when a mail should tell of it; null once one has, or nobody wants one. */
  mail_due_at: number | null;
}

/** Who gets which alerts by mail, and when the last one was written. */
interface AlertMailTable {
  account_id: string;
  settings_json: string;
  /** The kinds of alerts that there were when the recipients were saved. */
  known_kinds_json: string | null;
  sent_at: number | null;
}
