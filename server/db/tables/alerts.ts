import type { Environment } from "../../contract/common.ts";
import type { AlertCause, AlertKind, AlertLevel } from "../../contract/pos/alerts.ts";

/** Alerts for the owner, and their recipients by mail. */
export interface AlertTables {
  alerts: AlertsTable;
  alert_mail: AlertMailTable;
}

/** A state from its detection until it was resolved. */
interface AlertsTable {
  account_id: string;
  alert_id: string;
  /** Null for an alert of the whole shop. */
  environment: Environment | null;
  kind: AlertKind;
  /** Its subject within the kind: a brand, a person; empty if the kind has one alert only. */
  subject: string;
  cause: AlertCause;
  level: AlertLevel;
  /** The most urgent level since it was opened. */
  worst_level: AlertLevel;
  /** The state for which it was silenced: a changed mark ends the silence. */
  mark: string;
  facts_json: string;
  opened_at: number;
  resolved_at: number | null;
  silenced_at: number | null;
  silenced_by: string | null;
  /** Since when a mail about it is due; null once one was sent, or without a recipient. */
  mail_due_at: number | null;
}

/** Recipients of alerts by mail, and the time of the last mail. */
interface AlertMailTable {
  account_id: string;
  settings_json: string;
  /** The kinds of alerts that existed when the recipients were saved. */
  known_kinds_json: string | null;
  sent_at: number | null;
}
