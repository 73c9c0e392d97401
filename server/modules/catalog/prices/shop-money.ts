import type { StoredPriceList } from "../../../contract/pos/prices.ts";
import type { Offer, ProductFamily } from "../../../contract/v1/offers.ts";
import { Exact, type PricingTerms, type Unit } from "../../../lib/money.ts";

/** A percentage as a part of one. */
export function partOf(percent: string): Exact {
  return new Exact(percent).div(100);
}

interface Tax {
  /** What a price is multiplied by for the tax on it. */
  onPrice: Exact;
  /** What a profit is multiplied by for the tax on it. */
  onMargin: Exact;
}

/**
 * Costs, taxes and the floor of a price list in the shop's currency: exact, in its minor units, and
 * nothing of it rounded (rules#price-computation).
 */
export class ShopMoney {
  readonly terms: PricingTerms;
  /** The least part of the cost that is earned; undefined where the list has no floor. */
  readonly #aboveCost: Exact | undefined;
  readonly #taxes: ReadonlyMap<ProductFamily, Tax>;
  readonly #buffer: Exact;

  constructor(
    list: Pick<StoredPriceList, "floor" | "taxes" | "fxBufferPercent">,
    terms: PricingTerms,
  ) {
    this.terms = terms;
    this.#aboveCost = list.floor && partOf(list.floor.aboveCostPercent);
    this.#buffer = partOf(list.fxBufferPercent).add(1);
    const taxes = Object.entries(list.taxes) as [
      ProductFamily,
      { kind: string; percent: string },
    ][];
    this.#taxes = new Map(
      taxes.map(([family, { kind, percent }]) => [
        family,
        {
          onPrice: kind === "ON_PRICE" ? partOf(percent).add(1) : new Exact(1),
          onMargin: kind === "ON_MARGIN" ? partOf(percent).add(1) : new Exact(1),
        },
      ]),
    );
  }

  get hasFloor(): boolean {
    return this.#aboveCost !== undefined;
  }

  /** Units of the shop's currency for one of another; 1 where it is the same. */
  rateOf({ currency }: Unit): Exact {
    return new Exact(currency === this.terms.currency ? 1 : this.terms.rate);
  }

  /** The same with the buffer, which nothing has that is paid in the shop's own currency. */
  costRateOf(unit: Unit): Exact {
    const rate = this.rateOf(unit);
    return unit.currency === this.terms.currency ? rate : rate.mul(this.#buffer);
  }

  /** A stated amount in minor units of the shop's currency. */
  inShop(amount_minor: Exact | number, unit: Unit): Exact {
    return this.rateOf(unit).mul(amount_minor).mul(this.#minorPer(unit));
  }

  /** What the wallet pays, in minor units of the shop's currency, with the buffer. */
  costInShop(cost_minor: Exact | number, unit: Unit): Exact {
    return this.costRateOf(unit).mul(cost_minor).mul(this.#minorPer(unit));
  }

  /** The price that covers a cost with its tax, and earns nothing. */
  breakEven(cost: Exact, family: ProductFamily): Exact {
    return cost.mul(this.taxOf(family).onPrice);
  }

  /** The floor of a price; 0 without one. */
  floorOf(cost: Exact, family: ProductFamily): Exact {
    return cost.mul(this.floorFactor(family));
  }

  /** What a cost is multiplied by for its floor. */
  floorFactor(family: ProductFamily): Exact {
    if (this.#aboveCost === undefined) return new Exact(0);
    const { onPrice, onMargin } = this.taxOf(family);
    return this.#aboveCost.mul(onMargin).add(1).mul(onPrice);
  }

  taxOf(family: ProductFamily): Tax {
    const tax = this.#taxes.get(family);
    if (!tax) throw new RangeError(`no tax is stated for ${family}`);
    return tax;
  }

  /** What of a price is left without its tax. */
  withoutTax(price: Exact, cost: Exact, family: ProductFamily): Exact {
    const { onPrice, onMargin } = this.taxOf(family);
    const net = price.div(onPrice);
    const profit = net.sub(cost);
    return profit.lte(0) ? net : profit.div(onMargin).add(cost);
  }

  /** Percent that a price without its tax is above the cost, of two decimals; 0 where nothing is paid. */
  marginOf(price: Exact, cost: Exact, { productType }: Pick<Offer, "productType">): number {
    if (cost.lte(0)) return 0;
    const net = this.withoutTax(price, cost, productType);
    return net.sub(cost).div(cost).mul(100).toDecimalPlaces(2).toNumber();
  }

  #minorPer({ currencyDivisor }: Unit): Exact {
    return new Exact(this.terms.currencyDivisor).div(currencyDivisor);
  }
}
