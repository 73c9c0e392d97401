import {
  byPrecedence,
  isFor,
  type PriceChannel,
  periodOf,
  type StoredPriceList,
} from "../../../contract/pos/prices.ts";
import type { Offer } from "../../../contract/v1/offers.ts";
import type { Exact, PricingTerms } from "../../../lib/money.ts";
import { priceOffer, type Quote, sumCost } from "../catalog/index.ts";
import { DefaultPrices } from "./default-price.ts";
import {
  type CompiledRule,
  compileRule,
  lowestPrice,
  type PricedByRule,
  priceFixed,
} from "./fixed-price.ts";
import { priceRange } from "./range-price.ts";
import { ShopMoney } from "./shop-money.ts";

export interface PriceBasis {
  list: StoredPriceList;
  terms: PricingTerms;
  at: number;
  spent: ReadonlySet<string>;
}

export interface QuotedOffer {
  offer: Offer;
  quote: Pick<Quote, "costBase" | "costFee">;
}

/**
 * Prices offers until the next rule starts or ends. Has no side effects, so that every caller gets
 * the same price.
 */
export class PriceEngine {
  readonly from: number;
  readonly until: number;
  readonly splitsChannels: boolean;
  readonly #money: ShopMoney;
  readonly #rules: readonly CompiledRule[];
  readonly #defaults: DefaultPrices;

  constructor({ list, terms, at, spent }: PriceBasis) {
    this.#money = new ShopMoney(list, terms);
    this.#defaults = new DefaultPrices(list, this.#money);
    const borders = list.rules.filter(({ enabled }) => enabled).flatMap(listBorders);
    this.from = Math.max(-Infinity, ...borders.filter((border) => border <= at));
    this.until = Math.min(Infinity, ...borders.filter((border) => border > at));
    this.#rules = list.rules
      .filter((rule) => rule.enabled && isInForce(rule, at))
      .toSorted(byPrecedence)
      .map((rule) =>
        compileRule(rule, { rounding: list.rounding, at, isSpent: spent.has(rule.ruleId) }),
      );
    this.splitsChannels = this.#rules.some(({ rule }) => rule.channel !== "ANY");
  }

  get money(): ShopMoney {
    return this.#money;
  }

  price(offer: Offer, channel: PriceChannel): PricedByRule {
    const money = this.#money;
    const rule = this.#findRule(offer, channel);
    const converted = priceOffer(offer, money.terms);
    const suggested = converted.price;
    if (rule) {
      const price = offer.priceType === "FIXED" ? priceFixed : priceRange;
      return { ...price(offer, rule, { money, suggested }), rule };
    }
    if (!money.hasFloor) return { offer: converted, rule, blocked: undefined, steps: [] };
    return { ...this.#defaults.price(offer, suggested), rule };
  }

  /**
   * Returns the lowest allowed price, and its rule.
   * @param cost_minor cost with fees
   * @returns exact minor units of the shop's currency
   */
  lowest(
    offer: Offer,
    channel: PriceChannel,
    cost_minor: number,
  ): { lowest: Exact; breakEven: Exact; rule: CompiledRule | undefined } {
    const money = this.#money;
    const family = offer.productType;
    const cost = money.toShopCost(cost_minor, offer.cost);
    const rule = this.#findRule(offer, channel);
    const lowest = lowestPrice(rule, cost, { money, family });
    return { lowest, breakEven: money.getBreakEven(cost, family), rule };
  }

  /**
   * Returns whether a price is below the floor or, if the list has no floor, below break-even.
   * @param paid minor units of the shop's currency
   */
  isUnderFloor(paid: number, { offer, quote }: QuotedOffer, channel: PriceChannel): boolean {
    const { lowest, breakEven } = this.lowest(offer, channel, sumCost(quote));
    return (this.#money.hasFloor ? lowest : breakEven).gt(paid);
  }

  #findRule(offer: Offer, channel: PriceChannel): CompiledRule | undefined {
    return this.#rules.find(({ rule }) => isFor(rule, offer, channel));
  }
}

function isInForce(rule: StoredPriceList["rules"][number], at: number): boolean {
  const { from, until } = periodOf(rule);
  return from <= at && at < until;
}

function listBorders(rule: StoredPriceList["rules"][number]): number[] {
  const { from, until } = periodOf(rule);
  const { belowCost } = rule;
  return [from, until, ...(belowCost ? [Date.parse(belowCost.until)] : [])];
}
