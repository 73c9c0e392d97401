import type { ColumnType } from "kysely";
import type { ANSWER_OPERATIONS, Deviation } from "../../contract/pos/provider-answers.ts";
import type { Checked, Flag, Scoped } from "./columns.ts";

/** Providers of the sold products. */
export interface ProviderTables {
  upstreams: UpstreamsTable;
  waiting_catalogs: WaitingCatalogsTable;
  provider_deviations: ProviderDeviationsTable;
  simulator_orders: SimulatorOrdersTable;
  simulator_plans: SimulatorPlansTable;
}

/** The gateway that the live environment buys from. The row stays when it is disconnected. */
interface UpstreamsTable extends Scoped, Checked {
  /** Without `/v1`. */
  base_url: string;
  /** Null when disconnected. */
  key_sealed: string | null;
  allow_private: Flag;
  connected_at: number;
  /** SHA-256 of the token in the address that its webhooks go to, hex. */
  hook_token_hash: string | null;
  hook_secret_sealed: string | null;
  /** Address at which the upstream reaches this gateway; null if not configured. */
  hook_base_url: string | null;
  /** Available balance at the last query; minor units of the wallet's currency. */
  balance: number | null;
  balance_at: number | null;
  synced_at: number | null;
  sync_report_json: string | null;
  /** Set while the last sync is a failed one. */
  sync_failed_at: number | null;
  sync_failure: string | null;
  /** The last event that requires an owner. */
  fault_kind: string | null;
  fault_message: string | null;
  fault_at: number | null;
  /** Whether a changed catalog waits for an owner, or is applied at once. */
  approves_catalog: ColumnType<number, number | undefined, number>;
  /** Its clock less this machine's at the last query; null if it did not report its time. */
  clock_difference_ms: number | null;
}

/** A downloaded catalog, which is not sold before an owner accepts it. */
interface WaitingCatalogsTable extends Scoped {
  /** The upstream's connection at the download. */
  key_sealed: string;
  fetched_at: number;
  difference_json: string;
  /** Compressed: a line for each item, its section before it. */
  content: Uint8Array;
}

/** Fields of a provider's answers that deviate from the contract; one row for each field and kind. */
interface ProviderDeviationsTable extends Scoped {
  /** Host of the provider. */
  provider: string;
  operation: (typeof ANSWER_OPERATIONS)[number];
  field: string;
  kind: Deviation["kind"];
  /** Whether a customer or an outcome needed the field. */
  needed: number;
  /** Purchases, eSIMs or bills. */
  count: number;
  first_at: number;
  last_at: number;
  last_reference: string;
}

/** The sandbox provider's own books: received orders and the time of their delivery. */
interface SimulatorOrdersTable {
  account_id: string;
  transaction_id: string;
  submissions: number;
  received_at: number;
  /** Null when the provider will never fulfil it. */
  fulfilled_at: number | null;
}

/** The sandbox provider's eSIM plans, in the order they are used. */
interface SimulatorPlansTable {
  account_id: string;
  transaction_id: string;
  iccid: string;
  position: number;
  offer_id: string;
  description: string;
  data_gb: number;
  unlimited: number;
  duration_days: number;
  added_at: number;
  refunded_at: number | null;
}
