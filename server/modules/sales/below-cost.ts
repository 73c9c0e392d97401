import type { Offer } from "../../contract/v1/offers.ts";
import { toMajor } from "../../lib/money.ts";
import type { PricingTerms, Quote } from "../catalog/index.ts";
import { costInShop } from "./line-cost.ts";

/**
 * Whether what the customer pays for a line is less than what the shop's wallet pays for it, at the
 * shop's rate and exactly: paying just the cost is not.
 * @param paid minor units of the shop's currency
 */
export function isBelowCost(
  paid: number,
  priced: { offer: Pick<Offer, "cost">; quote: Quote },
  terms: PricingTerms,
): boolean {
  return toMajor(paid, terms.currencyDivisor).lt(costInShop(priced, terms));
}
