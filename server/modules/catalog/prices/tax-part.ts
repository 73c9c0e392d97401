import type { PriceTax } from "../../../contract/pos/prices.ts";
import { Exact } from "../../../lib/money.ts";

/** Minor units of the shop's currency. */
interface TaxedAmounts {
  /** Price less discount. */
  paid: number;
  cost: number;
}

/**
 * Returns the tax, rounded half up, between 0 and the paid amount (rules#money-tax-frozen). A line
 * sold at or below cost has no taxed margin.
 */
export function taxPart({ paid, cost }: TaxedAmounts, { kind, percent }: PriceTax): number {
  const taxed = kind === "ON_MARGIN" ? Math.max(0, paid - cost) : paid;
  if (kind === "NONE") return 0;
  const rate = new Exact(percent);
  return rate.mul(taxed).div(rate.add(100)).add("0.5").floor().toNumber();
}
