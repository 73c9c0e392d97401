import type { Generated } from "kysely";
import type { Family } from "../../contract/pos/families.ts";
import type { NumberCheck } from "../../contract/pos/number-check.ts";
import type { TaxKind } from "../../contract/pos/taxes.ts";
import type { TenderKind } from "../../contract/pos/tenders.ts";
import type { Checked, Scoped } from "./columns.ts";

/** The till's sales, and the counter's recent entries. */
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
  number_checks: NumberChecksTable;
  favourites: FavouritesTable;
  remembered_carriers: RememberedCarriersTable;
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
   * The shift whose drawer got the money; null for training, and for sales made before shifts existed.
   */
  shift_id: string | null;
  /** Sold in training: in no shift, figure or report of the shop. */
  training: Generated<number>;
  /** Rounding of the cash part: the tenders add up to `total` plus this. */
  cash_rounding: Generated<number>;
  /** Rounding step of cash at the time, minor units; 0 for none. */
  cash_step: Generated<number>;
  /** The till of the sale, or `FILE`, `UNKNOWN`, `BEFORE`. */
  till: Generated<string>;
}

interface SaleLinesTable extends Scoped, Checked {
  sale_id: string;
  position: number;
  transaction_id: string;
  product_type: Family;
  /** The recipient's number, account or eSIM; empty if there is none. */
  recipient: string;
  /** Before the discount. */
  price: number;
  discount: number;
  created_at: number;
  /** Its cost in the shop's currency, at the rate of the sale. */
  cost: number;
  /** Units of the shop's currency for one of the wallet's when it was sold, as text. */
  rate: string;
  /** Tax within its price less the discount. */
  tax: number;
  /** The tax of its family, and its percentage as text. */
  tax_kind: Generated<TaxKind>;
  tax_percent: Generated<string>;
  /** When its purchase failed, or the provider refunded it; null otherwise. Never in training. */
  returned_at: Generated<number | null>;
  /** 1 while the customer is owed the price of a returned line. */
  owed: Generated<number>;
}

/** Tenders of a sale: the amounts add up to its total and its cash rounding. */
interface SaleTendersTable extends Scoped {
  sale_id: string;
  position: number;
  kind: TenderKind;
  amount: number;
  /** Cash handed over; the part above the amount was given as change. */
  tendered: number | null;
  reference: string | null;
  /** A tender that the owner added; empty for the first of its kind. */
  tender_id: Generated<string>;
  /** The tender's name at the sale; empty for the program's own word. */
  tender_name: Generated<string>;
}

/** Money of undelivered lines, refunded to the customer. */
interface CustomerRefundsTable extends Scoped {
  customer_refund_id: string;
  sale_id: string;
  staff_id: string;
  approved_by: string | null;
  /** Amount that was paid for its lines: its tenders add up to it plus its cash rounding. */
  amount: number;
  cash_rounding: Generated<number>;
  request_hash: string;
  created_at: number;
  /**
   * The shift whose drawer paid the money; null for training, and for refunds made before shifts existed.
   */
  shift_id: string | null;
  /** The till of the refund, or `UNKNOWN`, `BEFORE`. */
  till: Generated<string>;
  /** The sale that the money paid: the corrected line, sent again. */
  replaced_by: string | null;
}

/** The tenders of a customer refund: amounts that add up to its own and its cash rounding. */
interface CustomerRefundTendersTable extends Scoped {
  customer_refund_id: string;
  kind: TenderKind;
  /** As in `sale_tenders`. */
  tender_id: Generated<string>;
  tender_name: Generated<string>;
  amount: number;
}

/** A line's money is refunded once. */
interface CustomerRefundLinesTable extends Scoped {
  transaction_id: string;
  customer_refund_id: string;
  sale_id: string;
  amount: number;
}

/** A row for each paper that a printer may have started. */
interface PrintsTable extends Scoped {
  kind: PrintKind;
  /** The id of a sale, or the number of a Z report. */
  subject: string;
  copy_number: number;
  staff_id: string;
  printed_at: number;
}

/** Prints by the id that the till gave them. */
interface PrintRecordsTable extends Scoped {
  print_id: string;
  kind: PrintKind;
  /** The id of a sale, or the number of a Z report. */
  subject: string;
  copy_number: number;
  staff_id: string;
  /** Permissions that its person had or got for it, separated by commas. */
  granted_rights: string;
  state: PrintState;
  recorded_at: number;
}

/** The printed document. */
export type PrintKind = "SALE" | "Z_REPORT";

/**
 * BEGUN: bytes may have been sent, and the outcome is unknown until it is PRINTED. REPLACED: another
 * print replaced it before a byte was sent.
 */
export type PrintState = "NOT_BEGUN" | "BEGUN" | "PRINTED" | "REPLACED";

/** Held sales. The row of a resumed sale stays, so that its id stays used. */
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
  /** The request that resumed it; null when it was discarded. */
  resume_id: string | null;
  training: Generated<number>;
}

/** Lines whose number the customer was to confirm; others have no row. */
interface NumberChecksTable extends Scoped {
  sale_id: string;
  transaction_id: string;
  checked_by: NumberCheck;
}

/** Customers' numbers that are stored under a name. */
interface FavouritesTable extends Scoped {
  number: string;
  name: string;
  created_at: number;
}

/** The carrier of a number, if the shop knows a better one than its prefix. */
interface RememberedCarriersTable extends Scoped {
  number: string;
  brand: string;
  updated_at: number;
}
