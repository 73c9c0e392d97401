import type { Figures, LineFigures } from "../../contract/pos/figures.ts";
import type { DaySum, QuarterSum } from "../../db/figure-sums.ts";

/** Sums of lines, and of all that was sold and taken; minor units. */
export type LineSums = Readonly<Record<DaySum, number>>;
export type Sums = Readonly<Record<QuarterSum, number>>;

/** A percentage of fewer says nothing. */
export const LEAST_FOR_PERCENT = 10;

/**
 * The figures of lines (rules#figure-words). A line counts when it was sold, and is taken off when its
 * money is handed back.
 */
export function toLineFigures(sums: LineSums): LineFigures {
  const sold = sums.paid - sums.paid_back;
  const tax = sums.tax - sums.tax_back;
  const cost = sums.cost - sums.cost_back;
  const earned = sold - tax - cost;
  const hasMargin = sums.lines >= LEAST_FOR_PERCENT && sold - tax > 0;
  return {
    lines: sums.lines,
    linesBack: sums.lines_back,
    discount: sums.discount,
    sold,
    tax,
    cost,
    earned,
    ...(hasMargin && { marginPct: toPercent(earned, sold - tax) }),
  };
}

/** All figures; `sold + cashRounding = taken + owed` (rules#figure-identity). */
export function toFigures(sums: Sums): Figures {
  const lines = toLineFigures(sums);
  const refunded = sums.cash_back + sums.card_back + sums.other_back;
  const taken = sums.cash + sums.card + sums.other - refunded;
  const paid = sums.paid;
  return {
    ...lines,
    sales: sums.sales,
    ...(sums.sales > 0 && { average: Math.round(paid / sums.sales) }),
    refunded,
    cashRounding: sums.cash_rounding,
    taken,
    owed: lines.sold + sums.cash_rounding - taken,
  };
}

/** With one decimal. */
export function toPercent(part: number, whole: number): number {
  return Math.round((part * 1000) / whole) / 10;
}
