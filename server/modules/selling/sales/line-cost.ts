import type { TaxKind } from "../../../contract/pos/taxes.ts";
import type { Offer } from "../../../contract/v1/offers.ts";
import { Exact, type PricingTerms, toMajor, toMinor } from "../../../lib/money.ts";
import { costOf, type Quote } from "../../catalog/catalog/index.ts";
import { type PricesInForce, taxPart } from "../../catalog/prices/index.ts";

interface Priced {
  offer: Pick<Offer, "cost" | "productType">;
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
  taxKind: TaxKind;
  /** Without needless zeros, so that the same rate is always the same text. */
  taxPercent: string;
}

/** What the wallet pays for it in major units of the shop's currency, at the rate of `terms`, exactly. */
function costInShop(priced: Priced, terms: PricingTerms): Exact {
  const { currencyDivisor } = priced.offer.cost;
  return toMajor(costOf(priced.quote), currencyDivisor).mul(rateOf(priced, terms));
}

/** @param sold.paid the price less its discount, minor units of the shop's currency */
export function lineCostOf(
  priced: Priced,
  { paid, prices }: { paid: number; prices: Pick<PricesInForce, "terms" | "taxOf"> },
): LineCost {
  const { terms } = prices;
  const cost = toMinor(costInShop(priced, terms), terms.currencyDivisor, "up");
  const tax = prices.taxOf(priced.offer.productType);
  return {
    cost,
    rate: rateOf(priced, terms),
    tax: taxPart({ paid, cost }, tax),
    taxKind: tax.kind,
    taxPercent: new Exact(tax.percent).toFixed(),
  };
}

/** What the wallet pays for all of them, minor units of its currency. */
export function costOfLines(lines: readonly { purchase: Priced }[]): number {
  return lines.reduce((sum, { purchase: { quote } }) => sum + costOf(quote), 0);
}

function rateOf({ offer }: Priced, { currency, rate }: PricingTerms): string {
  return offer.cost.currency === currency ? "1" : rate;
}
