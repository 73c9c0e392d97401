/** Sums of lines, which `day_figures` has for every dimension. */
export const LINE_SUMS = [
  "sales",
  "lines",
  "paid",
  "discount",
  "tax",
  "cost",
  "wallet_cost",
  "lines_back",
  "paid_back",
  "tax_back",
  "cost_back",
  "wallet_cost_back",
  "discount_back",
] as const;
export type LineSum = (typeof LINE_SUMS)[number];

/** All sums. Sums of money exist only for the dimensions of all sales and of tenders. */
export const SUMS = [
  ...LINE_SUMS,
  "cash_rounding",
  "taken",
  "taken_back",
  "sales_back",
  "paid_refunded",
] as const;
export type Sum = (typeof SUMS)[number];
