import type { PriceTax } from "../../../contract/pos/prices.ts";
import { Exact } from "../../../lib/money.ts";

/** What a tax is of; minor units of one currency. */
interface Taxed {
  /** What the customer pays for it: the price less its discount. */
  paid: number;
  cost: number;
}

/**
 * What of a price is tax, in whole minor units, halves up: it is between 0 and what is paid
 * (rules#money-tax-frozen). A line sold for its cost or less earns nothing that a tax could be on.
 */
export function taxPart({ paid, cost }: Taxed, { kind, percent }: PriceTax): number {
  const taxed = kind === "ON_MARGIN" ? Math.max(0, paid - cost) : paid;
  if (kind === "NONE") return 0;
  const rate = new Exact(percent);
  return rate.mul(taxed).div(rate.add(100)).add("0.5").floor().toNumber();
}
