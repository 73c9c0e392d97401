import type { StoredPriceList } from "../../../contract/pos/prices.ts";
import type { Offer, ProductFamily } from "../../../contract/v1/offers.ts";
import { Exact, type PricingTerms, type Unit } from "../../../lib/money.ts";

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
