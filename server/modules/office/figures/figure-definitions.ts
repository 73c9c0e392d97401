import type { Figures, LineFigures } from "../../../contract/pos/figures.ts";
import type { LineSum, Sum } from "../../../db/figure-columns.ts";

/** Sums in minor units. */
export type LineSums = Readonly<Record<LineSum, number>>;
export type Sums = Readonly<Record<Sum, number>>;

export const MIN_FOR_PERCENT = 10;

/** A line is added at its sale and subtracted at its failure (rules#figure-words). */
export function toLineFigures(sums: LineSums): LineFigures {
  const sold = sums.paid - sums.paid_back;
  const tax = sums.tax - sums.tax_back;
  const cost = sums.cost - sums.cost_back;
  const earned = sold - tax - cost;
  const lines = sums.lines - sums.lines_back;
  const hasMargin = lines >= MIN_FOR_PERCENT && sold - tax > 0;
  return {
    lines,
    linesFailed: sums.lines_back,
    discount: sums.discount - sums.discount_back,
    sold,
    tax,
    cost,
    earned,
    ...(hasMargin && { marginPct: toPercent(earned, sold - tax) }),
  };
}

/**
 * The result satisfies `sold + refundsDue + cashRounding = taken + owed` (rules#figure-identity).
 */
export function toFigures(sums: Sums): Figures {
  const lines = toLineFigures(sums);
  const refunded = sums.taken_back;
  const taken = sums.taken - refunded;
  const sales = sums.sales - sums.sales_back;
  const refundsDue = sums.paid_back - sums.paid_refunded;
  return {
    ...lines,
    sales,
    ...(sales > 0 && { average: Math.round(lines.sold / sales) }),
    refundsDue,
    refunded,
    cashRounding: sums.cash_rounding,
    taken,
    owed: lines.sold + refundsDue + sums.cash_rounding - taken,
  };
}

export function toPercent(part: number, whole: number): number {
  return Math.round((part * 1000) / whole) / 10;
}
