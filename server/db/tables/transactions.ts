import type { ColumnType, Generated } from "kysely";
import type { Environment, TransactionStatus } from "../../contract/common.ts";
import type { ProductType, TransactionType } from "../../contract/v1/transactions.ts";
import type { Checked, Flag, Scoped } from "./columns.ts";

/** Transactions that change the wallet, such as purchases and refunds, and the ledger. */
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
  recharges: RechargesTable;
}

/** Data of a recharge that a person entered: price, reference, or the reversed recharge. */
interface RechargesTable extends Scoped, Checked {
  transaction_id: string;
  /** Price of the recharge in the shop's currency; the next three columns are null without it. */
  paid: number | null;
  currency: string | null;
  /**
   * Average cost of the wallet's money after the recharge: minor units of the shop's currency for
   * one minor unit of the wallet's.
   */
  average: string | null;
  recharged_at: number | null;
  reference: string | null;
  reversed_transaction_id: string | null;
  reason: string | null;
  staff_id: string | null;
}

/** Every movement of the wallet that has an id: purchases, recharges, refunds. */
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
  /** 1 if the outcome was still unknown after 24 hours: the owner must ask the provider. */
  needs_reconciliation: Flag;
  /** 1 if sold in training: the transaction moves no money, and is in no list or report. */
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
 * NONE: never sent. SENT: sent, no response. WORKING: the provider accepted the request and has not
 * finished. FAILED: the last attempt had a recoverable error. SENT and WORKING are unknown outcomes
 * (rules#purchase-unknown-outcome).
 */
export type AttemptState = "NONE" | "SENT" | "WORKING" | "FAILED";

/**
 * Reasons why the provider may have executed a purchase whose outcome is unknown. LOST: an
 * attempt got no clear response. ACCEPTED: the provider accepted an attempt. BOOKED: the
 * provider refused a repeated attempt because it already has the purchase. NONE: every attempt
 * is known to have failed.
 */
export type Doubt = "NONE" | "LOST" | "ACCEPTED" | "BOOKED";

/** Offers as they were sold. Each version is stored once. */
interface OfferVersionsTable extends Scoped, Checked {
  /** Digest of `offer_json` (`offer-digest.ts`). */
  digest: string;
  offer_json: string;
}

/** Purchased product of a transaction; one row for each transaction of a product family. */
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
  offer_version: string;
  /** The buyer's input besides offer, recipient and value. */
  input_json: string;
  /** Delivered data from the provider; null until DONE. */
  fulfilment_json: string | null;
  /** Redeemable part of the delivered data, encrypted; see `delivered-secrets.ts`. */
  details_sealed: Generated<string | null>;
  /** Null if the delivery has no redeemable details. */
  details_state: Generated<"CLEAR" | "SEALED" | "ERASED" | null>;
  details_at: Generated<number | null>;
  attempts: number;
  attempt_state: AttemptState;
  /**
   * Time at which the current attempt counts as unanswered, or at which the next attempt starts.
   */
  next_attempt_at: number | null;
  /**
   * Milliseconds of the process's running time during which the provider was queried and the
   * outcome stayed unknown.
   */
  unknown_for_ms: ColumnType<number, number | undefined, number>;
  doubt: Generated<Doubt>;
  deviations_json: Generated<string | null>;
  /** Latest deviating response, encrypted; null if none, or after its erasure. */
  answer_sealed: Generated<string | null>;
  answer_at: Generated<number | null>;
  /** The process that sends the attempt; null on SQLite, where only one process sends. */
  sent_by: Generated<string | null>;
  /** The API key of the purchase; null for a sale, and for an unknown key. */
  key_id: Generated<string | null>;
  /** `A` for `/v1`, `B` for a sale from a file; null for a till (`sales-channel.ts`). */
  channel: Generated<"A" | "B" | null>;
  /**
   * Cost, rate and tax of a purchase through `/v1` when it was accepted: minor units of
   * `price_currency`, and units of it for one unit of the wallet's currency. Null for other
   * purchases, whose sale lines have them, and for purchases of earlier versions.
   */
  shop_cost: Generated<number | null>;
  shop_rate: Generated<string | null>;
  shop_tax: Generated<number | null>;
  /** `P12` for 12 % on the price, `M12` on the margin; null without tax. */
  tax_rate: Generated<string | null>;
  /** The provider that was chosen; null for the first. */
  provider_id: Generated<string | null>;
  /** The provider's id of the offer; null if equal. */
  product_id: Generated<string | null>;
  /**
   * Ids of the providers of the attempts before it moved to the present one, separated by commas.
   * Earlier versions stored each provider once. Null if it did not move.
   */
  refused_by: Generated<string | null>;
  /** 1 if it is from a backup, after which it may have moved to another provider; otherwise null. */
  may_have_moved: Generated<1 | null>;
  /** Time until which other processes do not query the outcome; 0 to query it at once. */
  sent_until: Generated<number | null>;
}

/** Owner of an eSIM, written when the purchase that issued the eSIM is DONE. */
interface EsimsTable extends Scoped, Checked {
  iccid: string;
  transaction_id: string;
  created_at: number;
}

/** Refunds of eSIM purchases. Each refund is a separate transaction. */
interface RefundsTable extends Scoped, Checked {
  transaction_id: string;
  refunded_transaction_id: string;
  /** 1 if the provider refused the refund, which may then be requested again. */
  failed: ColumnType<number, number | undefined, number>;
  /**
   * Milliseconds of the process's running time during which the provider was
   * queried and did not respond.
   */
  unknown_for_ms: ColumnType<number, number | undefined, number>;
}

/** Amount due at the last retrieval of a bill. */
interface RetrievedBillsTable extends Scoped, Checked {
  offer_id: string;
  /** Fields with which the bill was retrieved, as JSON. */
  bill_key: string;
  /** Minor units of the offer's send currency. */
  amount_due: number;
  retrieved_at: number;
}

/** Accounts of the double-entry ledger, each with its running balance. */
interface LedgerAccountsTable extends Scoped {
  name: string;
  currency: string;
  balance: number;
}

interface LedgerPostingsTable extends Scoped {
  posting_id: Generated<number>;
  transaction_id: string;
  kind: "RECHARGE" | "HOLD" | "CAPTURE" | "RELEASE" | "REFUND";
  /** Minor units; negative for a recharge that takes money from the wallet. */
  amount: number;
  /** Balance of the account that the amount leaves, after the posting. */
  from_balance: number;
  /** Balance of the account that the amount enters, after the posting. */
  to_balance: number;
  posted_at: number;
  /** Number of the hold: 1, and one more for each provider to which the purchase moved. */
  leg: Generated<number>;
}

/** A view of the postings, with one row for each of the two accounts of a posting. */
interface LedgerEntriesView {
  posting_id: number;
  account_id: string;
  environment: Environment;
  name: string;
  /** Signed amount: the two entries of a posting add up to zero. */
  amount: number;
  balance_after: number;
}
