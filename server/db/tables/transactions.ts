import type { ColumnType, Generated } from "kysely";
import type { Environment, TransactionStatus } from "../../contract/common.ts";
import type { ProductType, TransactionType } from "../../contract/v1/transactions.ts";
import type { Checked, Flag, Scoped } from "./columns.ts";

/** Transactions that change the wallet: purchases, refunds, and the ledger. */
export interface TransactionTables {
  transactions: TransactionsTable;
  transaction_log: TransactionLogTable;
  offer_versions: OfferVersionsTable;
  purchases: PurchasesTable;
  esims: EsimsTable;
  refunds: RefundsTable;
  retrieved_bills: RetrievedBillsTable;
  ledger_accounts: LedgerAccountsTable;
  ledger_postings: LedgerPostingsTable;
  ledger_entries: LedgerEntriesView;
  wallet_alerts: WalletAlertsTable;
  recharges: RechargesTable;
}

/** The owner's threshold of a low wallet; null for no alert. */
interface WalletAlertsTable extends Scoped {
  /** Minor units of the wallet's currency. */
  low_amount: number | null;
  /** Hours in which the shop usually sells. */
  low_hours: number | null;
}

/** The price of a recharge, its reference, and the recharge that it reverses, as a person stated them. */
interface RechargesTable extends Scoped, Checked {
  transaction_id: string;
  /** Its price in the shop's currency; with it the next three columns. */
  paid: number | null;
  currency: string | null;
  /**
   * Average cost of the wallet's money from then on: the shop's smallest units for one of the
   * wallet's.
   */
  average: string | null;
  recharged_at: number | null;
  /** Such as the number of a transfer. */
  reference: string | null;
  reversed_transaction_id: string | null;
  reason: string | null;
  staff_id: string | null;
}

/** Every movement of the wallet with an id of its own: purchases, recharges, refunds. */
interface TransactionsTable extends Scoped, Checked {
  transaction_id: string;
  type: TransactionType;
  product_type: ProductType;
  status: TransactionStatus;
  amount: number;
  currency: string;
  currency_divisor: number;
  created_at: number;
  updated_at: number;
  finished_at: number | null;
  error_code: string | null;
  error_description: string | null;
  error_message: string | null;
  error_figures_json: string | null;
  /** Set when 24 h passed with the outcome unknown: the owner must ask the provider. */
  needs_reconciliation: Flag;
  /** Sold at the till in training: moves no money, and is in no list or report. */
  training: Generated<number>;
}

interface TransactionLogTable extends Scoped {
  transaction_id: string;
  position: number;
  logged_at: number;
  status: TransactionStatus;
  /** Null for the default message of the status (`log-messages.ts`). */
  message: string | null;
}

/**
 * NONE: never sent. SENT: sent, no answer. WORKING: the provider has it and is not done. FAILED: the
 * last attempt met a recoverable error. SENT and WORKING are unknown outcomes
 * (rules#purchase-unknown-outcome).
 */
export type AttemptState = "NONE" | "SENT" | "WORKING" | "FAILED";

/**
 * Reasons why a purchase may be booked at its provider although its outcome is unknown. LOST: an
 * attempt got no clear answer. ACCEPTED: the provider accepted an attempt. BOOKED: the provider
 * refused a repeated attempt because it has the purchase. NONE: each attempt so far is known to have
 * failed.
 */
export type Doubt = "NONE" | "LOST" | "ACCEPTED" | "BOOKED";

/** Offers as they were sold, each once. */
interface OfferVersionsTable extends Scoped, Checked {
  /** Digest of its text (`offer-versions.ts`). */
  digest: string;
  offer_json: string;
}

/** The purchased product of a transaction; one row for each transaction of a product family. */
interface PurchasesTable extends Scoped, Checked {
  transaction_id: string;
  offer_id: string;
  brand: string;
  brand_name: string;
  country: string;
  recipient: string;
  cost_base: number;
  cost_fee: number;
  price_base: number;
  price_fee: number;
  price_currency: string;
  price_currency_divisor: number;
  send: number;
  send_currency: string;
  send_currency_divisor: number;
  value_type: string | null;
  value: number | null;
  /** The digest of the offer as it was sold. */
  offer_version: string;
  /** The buyer's input beside offer, recipient and value. */
  input_json: string;
  /** The delivery of the provider; null until DONE. */
  fulfilment_json: string | null;
  /** The part of it that a customer redeems, encrypted; see `delivered-secrets.ts`. */
  details_sealed: Generated<string | null>;
  /** Null if there are no such details. */
  details_state: Generated<"CLEAR" | "SEALED" | "ERASED" | null>;
  details_at: Generated<number | null>;
  /** Number of started attempts. */
  attempts: number;
  attempt_state: AttemptState;
  /** When the current attempt counts as unanswered, or the next one starts. */
  next_attempt_at: number | null;
  /** Milliseconds of running in which the provider was queried and the outcome stayed unknown. */
  unknown_for_ms: ColumnType<number, number | undefined, number>;
  doubt: Generated<Doubt>;
  /** Deviations of the provider's answers; null where there is none. */
  deviations_json: Generated<string | null>;
  /** The latest answer that deviates, encrypted; null once it is erased. */
  answer_sealed: Generated<string | null>;
  answer_at: Generated<number | null>;
  /** The process that sends the attempt; null in a file, which only one process uses. */
  sent_by: Generated<string | null>;
  /** The API key that bought it; null for a sale at a till. */
  key_id: Generated<string | null>;
  /** Until then other processes do not query it; 0 if it is to be queried at once. */
  sent_until: Generated<number | null>;
}

/** The owner of an eSIM: written when the purchase that issued it is DONE. */
interface EsimsTable extends Scoped, Checked {
  iccid: string;
  transaction_id: string;
  created_at: number;
}

/** Refunds of eSIM purchases; each is a transaction of its own. */
interface RefundsTable extends Scoped, Checked {
  transaction_id: string;
  refunded_transaction_id: string;
  /** 1 if the provider refused it: it may be requested again. */
  failed: ColumnType<number, number | undefined, number>;
  /** Milliseconds of running in which the provider was queried and did not answer. */
  unknown_for_ms: ColumnType<number, number | undefined, number>;
}

/** The amount that was due when a bill was last retrieved. */
interface RetrievedBillsTable extends Scoped, Checked {
  offer_id: string;
  /** The fields of the bill's retrieval, as JSON. */
  bill_key: string;
  /** Minor units of the offer's send currency. */
  amount_due: number;
  retrieved_at: number;
}

/** The accounts of the double-entry ledger with their running balance. */
interface LedgerAccountsTable extends Scoped {
  name: string;
  currency: string;
  balance: number;
}

interface LedgerPostingsTable extends Scoped {
  posting_id: Generated<number>;
  transaction_id: string;
  kind: "RECHARGE" | "HOLD" | "CAPTURE" | "RELEASE" | "REFUND";
  /** Minor units; below zero for a recharge that takes from the wallet. */
  amount: number;
  /** The balance after it of the account that the amount leaves. */
  from_balance: number;
  /** The balance after it of the account that the amount enters. */
  to_balance: number;
  posted_at: number;
}

/** A view of the postings: one row for each of the two accounts of a posting. */
interface LedgerEntriesView {
  posting_id: number;
  account_id: string;
  environment: Environment;
  name: string;
  /** Signed: the two entries of a posting add up to zero. */
  amount: number;
  balance_after: number;
}
