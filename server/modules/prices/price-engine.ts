import { byPrecedence, isFor, periodOf } from "../../contract/pos/price-rule-order.ts";
import type { PriceChannel, StoredPriceList } from "../../contract/pos/prices.ts";
import type { Offer } from "../../contract/v1/offers.ts";
import type { Exact } from "../../lib/money.ts";
import { costOf, type PricingTerms, priceOffer, type Quote } from "../catalog/index.ts";
import { type CompiledRule, compileRule } from "./compiled-rule.ts";
import { keepFixed, lowestPrice, priceFixed } from "./fixed-price.ts";
import { PriceGrid } from "./price-grid.ts";
import type { PricedByRule } from "./priced-offer.ts";
import { keepRange, priceRange } from "./range-price.ts";
import { ShopMoney } from "./shop-money.ts";

/** What prices are made of at an instant. */
export interface PriceBasis {
  list: StoredPriceList;
  terms: PricingTerms;
  at: number;
  /** Rules that may lose nothing more. */
  spent: ReadonlySet<string>;
}

/** An offer at its amounts. */
export interface Priced {
  offer: Offer;
  quote: Pick<Quote, "costBase" | "costFee">;
}

/**
 * The prices of a list at an instant, and until the next at which a rule begins or ends: pure, so that
 * the same offer has the same price wherever it is asked for.
 */
export class PriceEngine {
  /** From when on, and until when, the prices are these. */
  readonly from: number;
  readonly until: number;
  /** Whether the till and the API may have different prices. */
  readonly splitsChannels: boolean;
  readonly #money: ShopMoney;
  readonly #rules: readonly CompiledRule[];
  readonly #grid: PriceGrid;

  constructor({ list, terms, at, spent }: PriceBasis) {
    this.#money = new ShopMoney(list, terms);
    this.#grid = new PriceGrid(list.rounding);
    const borders = list.rules.filter(({ enabled }) => enabled).flatMap(bordersOf);
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

  /** The offer with its price: of the one rule that wins, or the suggested one. */
  price(offer: Offer, channel: PriceChannel): PricedByRule {
    const money = this.#money;
    const rule = this.#ruleOf(offer, channel);
    const converted = priceOffer(offer, money.terms);
    const suggested = converted.price;
    if (rule) {
      const price = offer.priceType === "FIXED" ? priceFixed : priceRange;
      return { ...price(offer, rule, { money, suggested }), rule };
    }
    if (!money.hasFloor) return { offer: converted, rule, blocked: undefined, steps: [] };
    const kept =
      offer.priceType === "FIXED"
        ? keepFixed(offer, suggested, { money, grid: this.#grid })
        : keepRange(offer, suggested, money);
    return { ...kept, rule };
  }

  /**
   * The lowest price that a sale of an offer may have, and the rule that it is by.
   * @param cost_minor what the wallet pays, fees included
   * @returns minor units of the shop's currency, exact
   */
  lowest(
    offer: Offer,
    channel: PriceChannel,
    cost_minor: number,
  ): { lowest: Exact; breakEven: Exact; rule: CompiledRule | undefined } {
    const money = this.#money;
    const family = offer.productType;
    const cost = money.costInShop(cost_minor, offer.cost);
    const rule = this.#ruleOf(offer, channel);
    const lowest = lowestPrice(rule, cost, { money, family });
    return { lowest, breakEven: money.breakEven(cost, family), rule };
  }

  /**
   * Whether a price is under the floor; where there is none, under what the wallet pays. Exact: paying
   * just that is not.
   * @param paid minor units of the shop's currency
   */
  isUnderFloor(paid: number, { offer, quote }: Priced, channel: PriceChannel): boolean {
    const { lowest, breakEven } = this.lowest(offer, channel, costOf(quote));
    return (this.#money.hasFloor ? lowest : breakEven).gt(paid);
  }

  #ruleOf(offer: Offer, channel: PriceChannel): CompiledRule | undefined {
    return this.#rules.find(({ rule }) => isFor(rule, offer, channel));
  }
}

function isInForce(rule: StoredPriceList["rules"][number], at: number): boolean {
  const { from, until } = periodOf(rule);
  return from <= at && at < until;
}

function bordersOf(rule: StoredPriceList["rules"][number]): number[] {
  const { from, until } = periodOf(rule);
  const { belowCost } = rule;
  return [from, until, ...(belowCost ? [Date.parse(belowCost.until)] : [])];
}
