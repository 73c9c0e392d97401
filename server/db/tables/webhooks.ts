import type { ColumnType, Generated } from "kysely";
import type { DeliveryState, WebhookKind } from "../../contract/pos/webhooks.ts";
import type { Checked, Flag, Scoped } from "./columns.ts";

export interface WebhookTables {
  webhook_endpoints: WebhookEndpointsTable;
  webhook_deliveries: WebhookDeliveriesTable;
  webhook_attempts: WebhookAttemptsTable;
}

/**
 * Registered webhooks (rules#webhook-registration). A removed webhook remains for its
 * deliveries, without secrets.
 */
interface WebhookEndpointsTable extends Scoped, Checked {
  endpoint_id: string;
  /** Kinds in the order of `WEBHOOK_KINDS`, separated by spaces. */
  kinds: string;
  url: string;
  header_name: string | null;
  header_value_sealed: string | null;
  secret_sealed: string | null;
  /** The previous secret, which also signs deliveries until `old_secret_until`. */
  old_secret_sealed: Generated<string | null>;
  old_secret_until: Generated<number | null>;
  allow_private: Flag;
  created_at: number;
  /** Times of the first and the last failure after the last success. */
  failing_since: number | null;
  last_failed_at: number | null;
  last_failure: string | null;
  paused_at: number | null;
  removed_at: number | null;
  description: Generated<string | null>;
  /**
   * For the listener of `tillgate webhooks listen`: end of its lease, by the machine's clock. Null
   * for other webhooks.
   */
  listening_until: Generated<number | null>;
  /** Number of the last change that the listener has printed. */
  listener_cursor: Generated<number | null>;
}

/** A message to one webhook. Every attempt sends the same bytes. */
interface WebhookDeliveriesTable extends Scoped {
  sequence: Generated<number>;
  delivery_id: string;
  endpoint_id: string;
  kind: WebhookKind;
  /** Id of the transaction, report or promotion; for other kinds, of the change. */
  subject: string;
  body: string;
  state: DeliveryState;
  /**
   * Number of failed attempts after the creation, or after a person requested the delivery again.
   */
  failures: ColumnType<number, number | undefined, number>;
  /** Null if the delivery has ended, and for a verification. */
  next_attempt_at: number | null;
  created_at: number;
  /**
   * The process that sends the message; null while no process sends it, and always on SQLite, where
   * only one process sends.
   */
  sent_by: Generated<string | null>;
  /** Time until which no other process sends the message. */
  sent_until: Generated<number | null>;
}

interface WebhookAttemptsTable extends Scoped {
  delivery_id: string;
  position: number;
  began_at: number;
  ended_at: number;
  /** Status of the response; null if there was none, and `error` states the reason. */
  status: number | null;
  /** First kilobyte of the response, encrypted: see `sealedText`. */
  answer: string | null;
  error: string | null;
}
