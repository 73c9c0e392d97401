import type { PriceTax, StoredPriceList } from "../../../contract/pos/prices.ts";
import type { TaxKind } from "../../../contract/pos/taxes.ts";
import type { Offer, ProductFamily } from "../../../contract/v1/offers.ts";
import { Exact, type PricingTerms, toMajor, toMinor, type Unit } from "../../../lib/money.ts";
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
  const tax = prices.getTax(priced.offer.productType);
  const asked = { terms, tax, paid, sum: sumCost(priced.quote) };
  const known = remembered.get(priced.offer);
  if (known && isSameCost(known.asked, asked)) return known.line;
  const line = calculateNewLineCost(priced, asked);
  remembered.set(priced.offer, { asked, line });
  return line;
}

interface AskedCost {
  terms: PricingTerms;
  tax: PriceTax;
  paid: number;
  sum: number;
}

/** Last result of each offer: a group of sales repeats it, and exact arithmetic takes long. */
const remembered = new WeakMap<CostedPurchase["offer"], { asked: AskedCost; line: LineCost }>();

function isSameCost(one: AskedCost, other: AskedCost): boolean {
  const isSameTax = one.tax.kind === other.tax.kind && one.tax.percent === other.tax.percent;
  const isSamePrice = one.paid === other.paid && one.sum === other.sum;
  return isSameTax && isSamePrice && one.terms === other.terms;
}

function calculateNewLineCost(priced: CostedPurchase, { terms, tax, paid }: AskedCost): LineCost {
  const rate = getRate(priced, terms);
  const divisors = { wallet: priced.offer.cost.currencyDivisor, shop: terms.currencyDivisor };
  const cost = convertCost(sumCost(priced.quote), rate, divisors);
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

export function toFraction(percent: string): Exact {
  return new Exact(percent).div(100);
}

interface Tax {
  onPrice: Exact;
  onMargin: Exact;
}

/** Exact minor units of the shop's currency, without rounding (rules#price-computation). */
export class ShopMoney {
  readonly terms: PricingTerms;
  /** Required profit as a fraction of the cost; undefined if the list has no floor. */
  readonly #aboveCost: Exact | undefined;
  readonly #taxes: ReadonlyMap<ProductFamily, Tax>;
  readonly #buffer: Exact;

  constructor(
    list: Pick<StoredPriceList, "floor" | "taxes" | "fxBufferPercent">,
    terms: PricingTerms,
  ) {
    this.terms = terms;
    this.#aboveCost = list.floor && toFraction(list.floor.aboveCostPercent);
    this.#buffer = toFraction(list.fxBufferPercent).add(1);
    const taxes = Object.entries(list.taxes) as [
      ProductFamily,
      { kind: string; percent: string },
    ][];
    this.#taxes = new Map(
      taxes.map(([family, { kind, percent }]) => [
        family,
        {
          onPrice: kind === "ON_PRICE" ? toFraction(percent).add(1) : new Exact(1),
          onMargin: kind === "ON_MARGIN" ? toFraction(percent).add(1) : new Exact(1),
        },
      ]),
    );
  }

  get hasFloor(): boolean {
    return this.#aboveCost !== undefined;
  }

  /** Returns the units of the shop's currency for one unit of the given currency. */
  getRate({ currency }: Unit): Exact {
    return new Exact(currency === this.terms.currency ? 1 : this.terms.rate);
  }

  /** Returns the rate with the exchange buffer, or 1 for the shop's own currency. */
  getCostRate(unit: Unit): Exact {
    const rate = this.getRate(unit);
    return unit.currency === this.terms.currency ? rate : rate.mul(this.#buffer);
  }

  toShopMoney(amount_minor: Exact | number, unit: Unit): Exact {
    return this.getRate(unit).mul(amount_minor).mul(this.#getMinorRatio(unit));
  }

  /** Converts a cost to minor units of the shop's currency, with the exchange buffer. */
  toShopCost(cost_minor: Exact | number, unit: Unit): Exact {
    return this.getCostRate(unit).mul(cost_minor).mul(this.#getMinorRatio(unit));
  }

  /** Returns the price that covers the cost and its tax without profit. */
  getBreakEven(cost: Exact, family: ProductFamily): Exact {
    return cost.mul(this.getTax(family).onPrice);
  }

  /** Returns the lowest price that the list allows; 0 if the list has no floor. */
  getFloor(cost: Exact, family: ProductFamily): Exact {
    return cost.mul(this.getFloorFactor(family));
  }

  getFloorFactor(family: ProductFamily): Exact {
    if (this.#aboveCost === undefined) return new Exact(0);
    const { onPrice, onMargin } = this.getTax(family);
    return this.#aboveCost.mul(onMargin).add(1).mul(onPrice);
  }

  getTax(family: ProductFamily): Tax {
    const tax = this.#taxes.get(family);
    if (!tax) throw new RangeError(`the list has no tax for ${family}`);
    return tax;
  }

  removeTax(price: Exact, cost: Exact, family: ProductFamily): Exact {
    const { onPrice, onMargin } = this.getTax(family);
    const net = price.div(onPrice);
    const profit = net.sub(cost);
    return profit.lte(0) ? net : profit.div(onMargin).add(cost);
  }

  /** Returns the margin without tax in percent of the cost, with two decimals; 0 if free. */
  getMargin(price: Exact, cost: Exact, { productType }: Pick<Offer, "productType">): number {
    if (cost.lte(0)) return 0;
    const net = this.removeTax(price, cost, productType);
    return net.sub(cost).div(cost).mul(100).toDecimalPlaces(2).toNumber();
  }

  #getMinorRatio({ currencyDivisor }: Unit): Exact {
    return new Exact(this.terms.currencyDivisor).div(currencyDivisor);
  }
}
