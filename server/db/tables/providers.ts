import type { ColumnType, Generated } from "kysely";
import type { ANSWER_OPERATIONS, Deviation } from "../../contract/pos/provider-answers.ts";
import type { ProviderKindName } from "../../contract/pos/upstream.ts";
import type { Checked, Flag, Scoped } from "./columns.ts";

export interface ProviderTables {
  upstreams: UpstreamsTable;
  waiting_catalogs: WaitingCatalogsTable;
  provider_deviations: ProviderDeviationsTable;
  simulator_orders: SimulatorOrdersTable;
  simulator_plans: SimulatorPlansTable;
}

/**
 * The providers from which the live environment buys. A row remains after a disconnection, because
 * purchases name its provider.
 */
interface UpstreamsTable extends Scoped, Checked {
  /** `first`, or `p2` and so on (`supply.ts`). */
  provider_id: Generated<string>;
  /** Empty if the owner gave none: the provider's host is shown. */
  name: Generated<string>;
  /** Present if an owner paused the provider: nothing new is sold through it. */
  paused_at: Generated<number | null>;
  /**
   * Present from the connection of another company until its first catalog is in force: the offers
   * are those of the old company, and are not sold.
   */
  replaced_at: Generated<number | null>;
  kind: Generated<ProviderKindName>;
  /** URL without `/v1`. */
  base_url: string;
  /** Null if disconnected. */
  key_sealed: string | null;
  allow_private: Flag;
  connected_at: number;
  /** SHA-256 (hex) of the token in the address to which the upstream sends its webhooks. */
  hook_token_hash: string | null;
  hook_secret_sealed: string | null;
  /** Address at which the upstream reaches this gateway; null if not configured. */
  hook_base_url: string | null;
  /** Available balance at the last query, in minor units of the wallet's currency. */
  balance: number | null;
  balance_at: number | null;
  synced_at: number | null;
  sync_report_json: string | null;
  sync_failed_at: number | null;
  sync_failure: string | null;
  fault_kind: string | null;
  fault_message: string | null;
  fault_at: number | null;
  /** 1 if a changed catalog waits for an owner; 0 if it is applied at once. */
  approves_catalog: ColumnType<number, number | undefined, number>;
  /**
   * The upstream's clock less this machine's clock, at the last query; null if the upstream did not
   * report its time.
   */
  clock_difference_ms: number | null;
}

/** A downloaded catalog, which is used only after an owner accepts it. */
interface WaitingCatalogsTable extends Scoped {
  provider_id: Generated<string>;
  /** The connection's key at the time of the download. */
  key_sealed: string;
  fetched_at: number;
  difference_json: string;
  /** Compressed lines: each item, after the line of its section. */
  content: Uint8Array;
}

/** Fields of a provider's responses that deviate from the contract. One row per field and kind. */
interface ProviderDeviationsTable extends Scoped {
  provider: string;
  operation: (typeof ANSWER_OPERATIONS)[number];
  field: string;
  kind: Deviation["kind"];
  /** 1 if a customer or an outcome needed the field. */
  needed: number;
  /** Number of affected purchases, eSIMs or bills. */
  count: number;
  first_at: number;
  last_at: number;
  last_reference: string;
}

/** Orders that the simulated provider of the sandbox received, with the time of delivery. */
interface SimulatorOrdersTable {
  account_id: string;
  transaction_id: string;
  submissions: number;
  received_at: number;
  /** Null if the provider will never deliver the order. */
  fulfilled_at: number | null;
}

/** eSIM plans of the simulated provider, in order of use. */
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
