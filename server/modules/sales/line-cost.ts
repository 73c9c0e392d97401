import type { Offer } from "../../contract/v1/offers.ts";
import { type Exact, toMajor, toMinor } from "../../lib/money.ts";
import { costOf, type PricingTerms, type Quote } from "../catalog/index.ts";

interface Priced {
  offer: Pick<Offer, "cost">;
  quote: Pick<Quote, "costBase" | "costFee">;
}

/** What a line cost when it was sold; nothing that changes later changes it (rules#figure-frozen). */
export interface LineCost {
  /** Minor units of the shop's currency, rounded up. */
  cost: number;
  /** Units of the shop's currency for one of the wallet's. */
  rate: string;
  /** What of the price is tax, minor units of the shop's currency. */
  tax: number;
}

/** What the wallet pays for it in major units of the shop's currency, at the rate of `terms`, exactly. */
function costInShop(priced: Priced, terms: PricingTerms): Exact {
  const { currencyDivisor } = priced.offer.cost;
  return toMajor(costOf(priced.quote), currencyDivisor).mul(rateOf(priced, terms));
}

/** There are no taxes yet. */
export function lineCostOf(priced: Priced, terms: PricingTerms): LineCost {
  const cost = toMinor(costInShop(priced, terms), terms.currencyDivisor, "up");
  return { cost, rate: rateOf(priced, terms), tax: 0 };
}

function rateOf({ offer }: Priced, { currency, rate }: PricingTerms): string {
  return offer.cost.currency === currency ? "1" : rate;
}
