import type { Sum } from "../figure-columns.ts";
import type { Scoped } from "./columns.ts";

/**
 * Figures of closed UTC days without training, counted from sales and payments (`figure-sums.ts`). Amounts are in minor
 * units of `currency`, those of `wallet_` columns in the wallet's.
 */
export interface FigureTables {
  day_figures: DayFiguresTable;
}

interface DayFiguresTable extends Scoped, Record<Sum, number> {
  dimension: "ALL" | "TENDER" | "FAMILY" | "BRAND" | "COUNTRY" | "CLERK" | "TILL";
  /**
   * Quarter hours since 1970. Other dimensions than `ALL` and `TENDER` have one row for each value and UTC day, at its
   * first quarter.
   */
  quarter: number;
  /** Of `TENDER`: the kind, a space and the id of a tender that the owner added. Empty for `ALL`. */
  value: string;
  currency: string;
  /** The total of all sums: a damaged row does not agree with it. */
  check_sum: number;
}
