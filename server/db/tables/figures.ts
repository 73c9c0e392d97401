import type { Sum } from "../figure-columns.ts";
import type { Scoped } from "./columns.ts";

/**
 * Figures of closed UTC days without training, counted from sales and payments
 * (`figure-sums.ts`). Amounts are minor units of `currency`; `wallet_` columns are minor units
 * of the wallet's currency.
 */
export interface FigureTables {
  day_figures: DayFiguresTable;
}

interface DayFiguresTable extends Scoped, Record<Sum, number> {
  dimension: "ALL" | "TENDER" | "FAMILY" | "BRAND" | "COUNTRY" | "CLERK" | "TILL";
  /**
   * Quarter hours since 1970. For dimensions other than `ALL` and `TENDER`, there is one row per
   * value and UTC day, at the day's first quarter hour.
   */
  quarter: number;
  /**
   * For `TENDER`: the kind, a space, and the id of a tender that the owner added. For `BRAND`: the
   * brand and, after a line break, the provider unless it is the first. Empty for `ALL`.
   */
  value: string;
  currency: string;
  /** Total of all sums, by which a damaged row is detected. */
  check_sum: number;
}
