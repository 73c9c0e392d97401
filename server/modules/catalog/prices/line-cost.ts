import type { PriceTax } from "../../../contract/pos/prices.ts";
import type { TaxKind } from "../../../contract/pos/taxes.ts";
import type { Offer } from "../../../contract/v1/offers.ts";
import { Exact, type PricingTerms, toMajor, toMinor } from "../../../lib/money.ts";
import { type Pricing, type Quote, sumCost } from "../catalog/index.ts";

interface CostedPurchase {
  offer: Pick<Offer, "cost" | "productType">;
  quote: Pick<Quote, "costBase" | "costFee">;
}

/**
 * Cost and tax of a line, or of a purchase through `/v1`. They never change after the sale
 * (rules#figure-frozen).
 */
export interface LineCost {
  /** In minor units of the shop's currency, rounded up. */
  cost: number;
  /** Units of the shop's currency for one unit of the wallet's currency. */
  rate: string;
  /** Tax included in the price, in minor units of the shop's currency. */
  tax: number;
  taxKind: TaxKind;
  /** Without trailing zeros, so that equal rates have equal texts. */
  taxPercent: string;
}

/**
 * Returns the cost in minor units of the shop's currency, rounded up.
 * @param cost_minor in minor units of the wallet's currency
 * @param divisors of the wallet's and of the shop's currency
 */
export function convertCost(
  cost_minor: number,
  rate: string,
  divisors: { wallet: number; shop: number },
): number {
  return toMinor(toMajor(cost_minor, divisors.wallet).mul(rate), divisors.shop, "up");
}

/** @param sold.paid the price less its discount, in minor units of the shop's currency */
export function calculateLineCost(
  priced: CostedPurchase,
  { paid, prices }: { paid: number; prices: Pick<Pricing, "terms" | "getTax"> },
): LineCost {
  const { terms } = prices;
  const rate = getRate(priced, terms);
  const divisors = { wallet: priced.offer.cost.currencyDivisor, shop: terms.currencyDivisor };
  const cost = convertCost(sumCost(priced.quote), rate, divisors);
  const tax = prices.getTax(priced.offer.productType);
  return {
    cost,
    rate,
    tax: taxPart({ paid, cost }, tax),
    taxKind: tax.kind,
    taxPercent: new Exact(tax.percent).toFixed(),
  };
}

export function sumLineCosts(lines: readonly { purchase: CostedPurchase }[]): number {
  return lines.reduce((sum, { purchase: { quote } }) => sum + sumCost(quote), 0);
}

function getRate({ offer }: CostedPurchase, { currency, rate }: PricingTerms): string {
  return offer.cost.currency === currency ? "1" : rate;
}

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
