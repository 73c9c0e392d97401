import type { ColumnType, Generated } from "kysely";
import type { DeliveryState, WebhookKind } from "../../contract/pos/webhooks.ts";
import type { Checked, Flag, Scoped } from "./columns.ts";

/** Webhooks and their deliveries. */
export interface WebhookTables {
  webhook_endpoints: WebhookEndpointsTable;
  webhook_deliveries: WebhookDeliveriesTable;
  webhook_attempts: WebhookAttemptsTable;
}

/** Where webhooks are sent (rules#webhook-registration); a removed one stays for its deliveries, without secrets. */
interface WebhookEndpointsTable extends Scoped, Checked {
  endpoint_id: string;
  kind: WebhookKind;
  url: string;
  header_name: string | null;
  header_value_sealed: string | null;
  secret_sealed: string | null;
  /** The previous secret; deliveries are also signed with it until the instant below. */
  old_secret_sealed: Generated<string | null>;
  old_secret_until: Generated<number | null>;
  allow_private: Flag;
  created_at: number;
  /** The first and the last of the failures since the last success. */
  failing_since: number | null;
  last_failed_at: number | null;
  last_failure: string | null;
  paused_at: number | null;
  removed_at: number | null;
}

/** One message to one endpoint about a transaction: the same bytes each time. */
interface WebhookDeliveriesTable extends Scoped {
  sequence: Generated<number>;
  delivery_id: string;
  endpoint_id: string;
  transaction_id: string;
  body: string;
  state: DeliveryState;
  /** Failed attempts since its creation or since a person sent it again. */
  failures: ColumnType<number, number | undefined, number>;
  /** Null if it has ended, and during a verification. */
  next_attempt_at: number | null;
  created_at: number;
  /**
   * The process that sends it; null while none does, and in a file, which only one process uses.
   */
  sent_by: Generated<string | null>;
  /** Until then no other process sends it. */
  sent_until: Generated<number | null>;
}

interface WebhookAttemptsTable extends Scoped {
  delivery_id: string;
  position: number;
  began_at: number;
  ended_at: number;
  /** Null without a response; `error` has the reason then. */
  status: number | null;
  /** The first kilobyte, encrypted: see `sealedText`. */
  answer: string | null;
  error: string | null;
}
