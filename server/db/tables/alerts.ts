import type { Environment } from "../../contract/common.ts";
import type { AlertCause, AlertKind, AlertLevel } from "../../contract/pos/alerts.ts";

export interface AlertTables {
  alerts: AlertsTable;
}

/** A condition, from its detection until it is resolved. */
interface AlertsTable {
  account_id: string;
  alert_id: string;
  /** Null for an alert about the whole shop. */
  environment: Environment | null;
  kind: AlertKind;
  /** Subject within the kind, such as a brand or a person; empty if the kind has a single alert. */
  subject: string;
  cause: AlertCause;
  level: AlertLevel;
  worst_level: AlertLevel;
  /** Text that changes with the condition. A new text makes a silenced alert visible again. */
  mark: string;
  facts_json: string;
  opened_at: number;
  resolved_at: number | null;
  silenced_at: number | null;
  silenced_by: string | null;
  /** Time from which a mail about the alert is due; null after the mail, or without recipients. */
  mail_due_at: number | null;
}
