import { cashEndings, smallestCash } from "../../../contract/pos/cash-endings.ts";
import {
  byPrecedence,
  isFor,
  type PriceChannel,
  periodOf,
  type StoredPriceList,
} from "../../../contract/pos/prices.ts";
import type { Offer, Price, TopupOffer } from "../../../contract/v1/offers.ts";
import type { Exact, PricingTerms } from "../../../lib/money.ts";
import { listProductIds } from "../../../providers/supply.ts";
import { priceOffer, type Quote, sumCost } from "../catalog/index.ts";
import {
  type CompiledRule,
  compileRule,
  keepFixed,
  lowestPrice,
  type PricedByRule,
  priceFixed,
  priceFixedAtFace,
} from "./fixed-price.ts";
import { PriceGrid } from "./price-grid.ts";
import { keepRange, keepRangeOnGrid, priceRange, priceRangeAtFace } from "./range-price.ts";
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
    const priced = { offer, offerIds: listProductIds(offer), channel };
    return this.#rules.find(({ rule }) => isFor(rule, priced));
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

/** Prices offers that no rule matches (rules#price-defaults). */
class DefaultPrices {
  readonly #money: ShopMoney;
  readonly #hasFaceValue: boolean;
  /** Grid for a suggested price that is raised to the floor. */
  readonly #grid: PriceGrid;
  /** If undefined, FIXED prices stay as suggested. */
  readonly #endings: PriceGrid | undefined;
  /** Grid for RANGE prices: a single step by default, because a range has one increment. */
  readonly #rangeEndings: PriceGrid | undefined;

  constructor(
    { defaults, rounding }: Pick<StoredPriceList, "defaults" | "rounding">,
    money: ShopMoney,
  ) {
    const { currency, currencyDivisor } = money.terms;
    const coins = [{ step: smallestCash(currency, currencyDivisor), offset: 0 }];
    const hasEndings = defaults?.cashEndings === true;
    this.#money = money;
    this.#hasFaceValue = defaults?.faceValue === true;
    this.#grid = new PriceGrid(rounding);
    if (!hasEndings) return;
    this.#endings = new PriceGrid(rounding ?? cashEndings(currency, currencyDivisor));
    this.#rangeEndings = new PriceGrid(rounding ?? { direction: "UP", bands: coins });
  }

  /** @param suggested the offer's price in the shop's currency */
  price(offer: Offer, suggested: Price): Omit<PricedByRule, "rule"> {
    const money = this.#money;
    const face = this.#hasFaceValue ? getFaceValue(offer, money.terms) : undefined;
    if (offer.priceType === "FIXED") {
      const { fixed = 0 } = face ?? {};
      const atFace =
        fixed > 0 ? priceFixedAtFace(offer, { suggested, face: fixed, money }) : undefined;
      return (
        atFace ?? keepFixed(offer, suggested, { money, grid: this.#grid, endings: this.#endings })
      );
    }
    const grid = this.#rangeEndings;
    return (
      (face && priceRangeAtFace(offer, { suggested, face, money, grid })) ??
      (grid && keepRangeOnGrid(offer, { suggested, money, grid })) ??
      keepRange(offer, suggested, money)
    );
  }
}

/**
 * Returns undefined unless the offer is a top-up in the shop's country and currency
 * (rules#price-face-value).
 */
function getFaceValue(offer: Offer, terms: PricingTerms): TopupOffer["send"] | undefined {
  if (offer.productType !== "TOPUP" || !("send" in offer)) return undefined;
  const { country, send } = offer;
  const isDomestic =
    country === terms.country &&
    send.currency === terms.currency &&
    send.currencyDivisor === terms.currencyDivisor;
  return isDomestic ? send : undefined;
}
