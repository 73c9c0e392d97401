import type { Offer } from "../../contract/v1/offers.ts";
import { toMajor } from "../../lib/money.ts";
import type { PricingTerms, Quote } from "../catalog/index.ts";

/**
 * Whether what the customer pays for a line is less than what the shop's wallet pays for it, at the
 * shop's rate and exactly: paying just the cost is not.
 * @param paid minor units of the shop's currency
 */
export function isBelowCost(
  paid: number,
  { offer, quote }: { offer: Pick<Offer, "cost">; quote: Quote },
  { currency, currencyDivisor, rate }: PricingTerms,
): boolean {
  const { cost } = offer;
  const ofWallet = toMajor(quote.costBase + quote.costFee, cost.currencyDivisor);
  const inShop = cost.currency === currency ? ofWallet : ofWallet.mul(rate);
  return toMajor(paid, currencyDivisor).lt(inShop);
}
