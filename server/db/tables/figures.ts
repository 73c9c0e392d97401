import type { ColumnType } from "kysely";
import type { Scoped } from "./columns.ts";

/**
 * Sums of sales and receipts without training, maintained by triggers in the transactions of the
 * sales. Amounts are in minor units of `currency`, `wallet_` ones of the wallet's.
 */
export interface FigureTables {
  figure_quarters: FigureQuartersTable;
  figure_days: FigureDaysTable;
  figure_tenders: FigureTendersTable;
  owed_lines: OwedLinesTable;
}

/** Written by triggers only. */
type Kept<Value> = ColumnType<Value, never, never>;

interface LineSums extends Scoped {
  currency: Kept<string>;
  sales: Kept<number>;
  lines: Kept<number>;
  /** Prices less discounts. */
  paid: Kept<number>;
  discount: Kept<number>;
  tax: Kept<number>;
  cost: Kept<number>;
  wallet_cost: Kept<number>;
  /** Lines that failed in this time, whenever they were sold. */
  lines_back: Kept<number>;
  paid_back: Kept<number>;
  tax_back: Kept<number>;
  cost_back: Kept<number>;
  wallet_cost_back: Kept<number>;
  discount_back: Kept<number>;
  /** The columns times odd numbers, added up: the sums of sound rows agree with the sum of this. */
  check_sum: Kept<number>;
}

/** By quarter hours since 1970: every time zone's days start with one. */
interface FigureQuartersTable extends LineSums {
  quarter: Kept<number>;
  cash_rounding: Kept<number>;
  /** Tenders net of change. */
  cash: Kept<number>;
  card: Kept<number>;
  other: Kept<number>;
  cash_back: Kept<number>;
  card_back: Kept<number>;
  other_back: Kept<number>;
  /** Sales whose last line failed in this time, without a delivered one. */
  sales_back: Kept<number>;
  /** Prices less discounts of failed lines whose money was refunded in this time. */
  paid_refunded: Kept<number>;
}

/** By UTC days since 1970, for each value of a dimension. */
interface FigureDaysTable extends LineSums {
  dimension: Kept<"FAMILY" | "BRAND" | "COUNTRY" | "CLERK" | "TILL">;
  value: Kept<string>;
  day: Kept<number>;
}

/** Amounts received and returned by tenders that the owner added, by quarter hours. */
interface FigureTendersTable extends Scoped {
  currency: Kept<string>;
  tender_id: Kept<string>;
  quarter: Kept<number>;
  taken: Kept<number>;
  taken_back: Kept<number>;
  check_sum: Kept<number>;
}

/** Lines that were not delivered and whose money was not refunded. */
interface OwedLinesTable extends Scoped {
  transaction_id: Kept<string>;
  sale_id: Kept<string>;
  amount: Kept<number>;
  currency: Kept<string>;
  failed_at: Kept<number>;
}
