import type { Generated } from "kysely";
import type { BulkLineState, BulkPause, BulkState } from "../../contract/pos/bulk-runs.ts";
import type { Family } from "../../contract/pos/families.ts";
import type { NumberCheck } from "../../contract/pos/number-check.ts";
import type { MessageChannel } from "../../contract/pos/receipt-pages.ts";
import type { Language } from "../../contract/pos/setup.ts";
import type { TaxKind } from "../../contract/pos/taxes.ts";
import type { TenderKind } from "../../contract/pos/tenders.ts";
import type { Checked, Scoped } from "./columns.ts";

export interface SaleTables {
  sales: SalesTable;
  sale_lines: SaleLinesTable;
  sale_tenders: SaleTendersTable;
  customer_refunds: CustomerRefundsTable;
  customer_refund_tenders: CustomerRefundTendersTable;
  customer_refund_lines: CustomerRefundLinesTable;
  prints: PrintsTable;
  print_records: PrintRecordsTable;
  held_sales: HeldSalesTable;
  favourites: FavouritesTable;
  remembered_carriers: RememberedCarriersTable;
  bulk_runs: BulkRunsTable;
  bulk_lines: BulkLinesTable;
  receipt_links: ReceiptLinksTable;
  receipt_sendings: ReceiptSendingsTable;
}

interface SalesTable extends Scoped, Checked {
  sale_id: string;
  sale_number: number;
  staff_id: string;
  /** The person who approved an action beyond the seller's permissions. */
  approved_by: string | null;
  currency: string;
  currency_divisor: number;
  /** Amount that the customer paid: the prices of the lines less their discounts. */
  total: number;
  discount: number;
  /** SHA-256 of the request, so that the same id with a different body is refused. */
  request_hash: string;
  created_at: number;
  /**
   * The shift whose drawer got the money; null in training, and for sales before shifts existed.
   */
  shift_id: string | null;
  /** 1 if sold in training: the sale is in no shift, figure or report of the shop. */
  training: Generated<number>;
  /** Rounding of the cash part. The tenders add up to `total` plus this rounding. */
  cash_rounding: Generated<number>;
  /** Rounding step of cash at the time of the sale, in minor units; 0 if none. */
  cash_step: Generated<number>;
  /** The till of the sale, or one of `NO_TILLS`. */
  till: Generated<string>;
}

interface SaleLinesTable extends Scoped, Checked {
  sale_id: string;
  position: number;
  transaction_id: string;
  product_type: Family;
  /** The recipient's number, account or eSIM; empty if there is none. */
  recipient: string;
  /** Price before the discount. */
  price: number;
  discount: number;
  created_at: number;
  /** Cost in the shop's currency, at the rate of the sale. */
  cost: number;
  /** Units of the shop's currency for one unit of the wallet's at the time of the sale, as text. */
  rate: string;
  /** Tax included in the price less the discount. */
  tax: number;
  /** Kind of tax of the family, and percentage as text. */
  tax_kind: Generated<TaxKind>;
  tax_percent: Generated<string>;
  /**
   * Time at which the purchase failed or the provider refunded it; otherwise null.
   * Always null in training.
   */
  returned_at: Generated<number | null>;
  /** 1 while the shop owes the customer the price of the returned line. */
  owed: Generated<number>;
  /** The person who confirmed the number before the sale; null if no confirmation was necessary. */
  checked_by: Generated<NumberCheck | null>;
}

/** Tenders of a sale. Their amounts add up to the sale's total and cash rounding. */
interface SaleTendersTable extends Scoped {
  sale_id: string;
  position: number;
  kind: TenderKind;
  amount: number;
  /** Cash handed over; the part above `amount` was given as change. */
  tendered: number | null;
  reference: string | null;
  /** Id of a tender that the owner added; empty for the first tender of its kind. */
  tender_id: Generated<string>;
  /** Name of the tender at the time of the sale; empty for the default name. */
  tender_name: Generated<string>;
}

interface CustomerRefundsTable extends Scoped {
  customer_refund_id: string;
  sale_id: string;
  staff_id: string;
  approved_by: string | null;
  /** Amount paid for the refunded lines. The tenders add up to `amount` plus `cash_rounding`. */
  amount: number;
  cash_rounding: Generated<number>;
  request_hash: string;
  created_at: number;
  /**
   * The shift whose drawer paid the money; null in training, and for refunds before shifts existed.
   */
  shift_id: string | null;
  /** The till of the refund; or `UNKNOWN` or `BEFORE`. */
  till: Generated<string>;
  /**
   * The sale of the corrected line, which was paid with the refunded money; null for other refunds.
   */
  replaced_by: string | null;
}

/** Tenders of a customer refund. Their amounts add up to the refund's amount and cash rounding. */
interface CustomerRefundTendersTable extends Scoped {
  customer_refund_id: string;
  kind: TenderKind;
  tender_id: Generated<string>;
  tender_name: Generated<string>;
  amount: number;
}

/** Refunded lines. Each line is refunded once. */
interface CustomerRefundLinesTable extends Scoped {
  transaction_id: string;
  customer_refund_id: string;
  sale_id: string;
  amount: number;
}

/** Prints of receipts and Z reports that a printer may have started. */
interface PrintsTable extends Scoped {
  kind: PrintKind;
  /** Id of the sale, or number of the Z report. */
  subject: string;
  copy_number: number;
  staff_id: string;
  printed_at: number;
}

/** Recorded prints, by the id that the till created. */
interface PrintRecordsTable extends Scoped {
  print_id: string;
  kind: PrintKind;
  /** Id of the sale, or number of the Z report. */
  subject: string;
  copy_number: number;
  staff_id: string;
  /** Permissions that the person had, or got by approval, for the print; separated by commas. */
  granted_rights: string;
  state: PrintState;
  recorded_at: number;
}

export type PrintKind = "SALE" | "Z_REPORT";

/**
 * BEGUN: bytes may have been sent, and the outcome is unknown until PRINTED. REPLACED: another
 * print replaced this one before a byte was sent.
 */
export type PrintState = "NOT_BEGUN" | "BEGUN" | "PRINTED" | "REPLACED";

/** Held sales. The row of a resumed sale remains, so that its id is not reused. */
interface HeldSalesTable extends Scoped, Checked {
  held_sale_id: string;
  label: string;
  staff_id: string;
  currency: string;
  currency_divisor: number;
  total: number;
  lines_json: string;
  request_hash: string;
  held_at: number;
  ended_at: number | null;
  ended_by: string | null;
  /** The request that resumed the sale; null if the sale was discarded. */
  resume_id: string | null;
  training: Generated<number>;
}

interface FavouritesTable extends Scoped {
  number: string;
  name: string;
  created_at: number;
}

/** Actual carriers of phone numbers, which take precedence over the number's prefix. */
interface RememberedCarriersTable extends Scoped {
  number: string;
  brand: string;
  updated_at: number;
}

interface BulkRunsTable extends Scoped, Checked {
  run_id: string;
  name: string;
  /** The person who uploaded the run; after its confirmation or resumption, the seller. */
  staff_id: string;
  state: BulkState;
  pause: BulkPause | null;
  /** Digest of the table in the request, to detect a repeat. */
  request_hash: string;
  /** Digest of the items to sell, regardless of order; null until the lines are checked. */
  digest: string | null;
  tender: TenderKind | null;
  reference: string | null;
  /** Id of a tender that the owner added; empty for the first tender of its kind. */
  tender_id: Generated<string>;
  created_at: number;
  confirmed_at: number | null;
  ended_at: number | null;
}

interface BulkLinesTable extends Scoped, Checked {
  run_id: string;
  line: number;
  state: BulkLineState;
  cells_json: string;
  faults_json: string;
  warnings_json: string;
  /** Item to sell; null for a line with errors. */
  input_json: string | null;
  title: string;
  recipient: string;
  note: string;
  price: number | null;
  /** Current price, if it has changed after the confirmation. */
  price_now: number | null;
  cost: number | null;
  sale_id: string | null;
  transaction_id: string | null;
  sold_at: number | null;
  refusal_code: string | null;
  refusal_message: string | null;
}

interface ReceiptLinksTable extends Scoped {
  link_id: string;
  /** SHA-256 of the token in the link. */
  token_hash: string;
  sale_id: string;
  staff_id: string;
  language: Language;
  created_at: number;
  expires_at: number;
  revoked_at: number | null;
  revoked_by: string | null;
  views: Generated<number>;
  first_viewed_at: number | null;
  last_viewed_at: number | null;
  details_shown: Generated<number>;
}

/** Receipts sent to customers; one row per message. */
interface ReceiptSendingsTable extends Scoped {
  sending_id: string;
  sale_id: string;
  way: "EMAIL" | "MESSAGE";
  recipient: string;
  link_id: string | null;
  mail_id: string | null;
  staff_id: string;
  language: Language;
  state: "WAITING" | "SENT" | "FAILED";
  fault: string | null;
  created_at: number;
  ended_at: number | null;
  channel: MessageChannel | null;
  receiver: string | null;
  failures: Generated<number>;
}
