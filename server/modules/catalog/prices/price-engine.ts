import {
  byPrecedence,
  isFor,
  type PriceChannel,
  periodOf,
  type StoredPriceList,
} from "../../../contract/pos/prices.ts";
import type { Offer, Price, TopupOffer } from "../../../contract/v1/offers.ts";
import { Exact, type PricingTerms } from "../../../lib/money.ts";
import { costOf, priceOffer, type Quote, quoteOffer } from "../catalog/index.ts";
import {
  type CompiledRule,
  compileRule,
  keepFixed,
  lowestPrice,
  type PricedByRule,
  priceFixed,
  withPrice,
} from "./fixed-price.ts";
import { type EvenValues, PriceGrid } from "./price-grid.ts";
import { ShopMoney } from "./shop-money.ts";

/** Values under the bound that are looked at one by one. */
const LOOKED_AT = 100;

/** As many digits as every reader's double keeps. */
const FX_DIGITS = 12;

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

type Outcome = Omit<PricedByRule, "rule">;

/**
 * The price block of a RANGE offer by a rule (rules#price-range): what one unit of it delivers, cut
 * down to twelve digits, and the values of the grid from the smallest that is safe on.
 */
function priceRange(
  offer: Offer,
  compiled: CompiledRule,
  { money, suggested }: { money: ShopMoney; suggested: Price },
): Outcome {
  const { cost, price, productType } = offer;
  const raise = compiled.factor.mul(money.taxOf(productType).onPrice);
  const ofCost = compiled.rule.basis === "COST";
  const rate = ofCost
    ? money.costRateOf(cost).mul(new Exact(cost.feePct).div(100).add(1))
    : money.rateOf(price);
  const basis = new Exact((ofCost ? cost.fx : price.fx) ?? 0);
  const fx = basis.div(rate.mul(raise)).toSignificantDigits(FX_DIGITS, Exact.ROUND_DOWN);
  if (fx.lte(0)) return refuse(offer, suggested, "NO_GRID_PRICE");

  const fee = (ofCost ? money.costInShop(cost.fee, cost) : money.inShop(price.fee, price)).mul(
    raise,
  );
  const values = valuesOf(compiled, { price, fx, suggested, money });
  if (values.last < values.first) return refuse(offer, suggested, "NO_GRID_PRICE");
  const block: RangeBlock = {
    fx,
    fee: fee.div(values.step).ceil().mul(values.step).toNumber(),
    values,
  };
  return finish(
    offer,
    { suggested, block },
    keepAboveFloor(offer, block, { money, compiled }),
    money,
  );
}

/** The suggested block, from the smallest value on that is safe. */
function keepRange(offer: Offer, suggested: Price, money: ShopMoney): Outcome {
  const { fx = 0, fee, min = 0, max = 0, increment: step = 1 } = suggested;
  const values = { first: min, step, last: max - ((max - min) % step) };
  const block = { fx: new Exact(fx), fee, values };
  const safe = keepAboveFloor(offer, block, { money, compiled: undefined });
  if (safe && safe.values.first === min && safe.values.last === values.last) {
    return { offer: withLimits(offer, suggested, safe.limits), blocked: undefined, steps: [] };
  }
  return finish(offer, { suggested, block }, safe, money);
}

/** The values that deliver what the suggested limits deliver, as far as they lie on the grid. */
function valuesOf(
  { grid, isRounded }: CompiledRule,
  of: { price: Price; fx: Exact; suggested: Price; money: ShopMoney },
): EvenValues {
  const { price, fx, suggested, money } = of;
  const same = new Exact(price.fx ?? 0).div(fx).mul(money.terms.currencyDivisor);
  const [min, max] = [price.min, price.max].map((limit) =>
    same.mul(limit ?? 0).div(price.currencyDivisor),
  ) as [Exact, Exact];
  if (isRounded) return grid.evenValues(min, max);
  const first = min.ceil().toNumber();
  const step = suggested.increment ?? 1;
  const last = max.floor().toNumber();
  return { first, step, last: last - (Math.max(0, last - first) % step) };
}

function finish(
  offer: Offer,
  { suggested, block }: { suggested: Price; block: RangeBlock },
  safe: ReturnType<typeof keepAboveFloor>,
  money: ShopMoney,
): Outcome {
  if (!safe) return refuse(offer, suggested, "UNDER_FLOOR");
  const { first, step, last } = safe.values;
  if (!Number.isSafeInteger(last)) return refuse(offer, suggested, "TOO_LARGE");
  const margin = money.marginOf(new Exact(1), safe.costPart, offer);
  const price: Price = {
    ...suggested,
    fx: safe.fx.toNumber(),
    fee: safe.fee,
    min: first,
    max: last,
    increment: step,
    margin,
  };
  const steps = [
    { step: "COST" as const, amount: safe.costPart.mul(first) },
    { step: "PRICE" as const, amount: new Exact(first + safe.fee) },
  ];
  const { first: min, last: max } = block.values;
  const isShortened = first > min || last < max;
  return {
    offer: withLimits(offer, price, safe.limits),
    blocked: undefined,
    steps,
    ...(isShortened && { full: { min, max } }),
  };
}

function refuse(offer: Offer, price: Price, blocked: PricedByRule["blocked"]): Outcome {
  return { offer: { ...withPrice(offer, price), enabled: false }, blocked, steps: [] };
}

/** What a RANGE offer is sold at: what one major unit delivers, the fee on top, and the values. */
interface RangeBlock {
  fx: Exact;
  fee: number;
  values: EvenValues;
}

/** The same from the smallest value on that is safe. */
interface SafeBlock extends RangeBlock {
  /** The part of a price that its cost is, rounding aside. */
  costPart: Exact;
  /** The limits of what is delivered and of what the wallet pays, where they had to be narrower. */
  limits: SafeLimits;
}

/** The limits of what the wallet pays and of what is delivered. */
interface SafeLimits {
  cost: Offer["cost"];
  send?: TopupOffer["send"];
}

interface Rules {
  money: ShopMoney;
  compiled: CompiledRule | undefined;
}

/** What a price has to cover is less than `part` of it and `slack` minor units. */
interface Need {
  part: Exact;
  slack: Exact;
}

/** The offer at a price, within limits. */
function withLimits(offer: Offer, price: Price, { cost, send }: SafeLimits): Offer {
  return "send" in offer && send ? { ...offer, price, cost, send } : { ...offer, price, cost };
}

/**
 * Cuts the values of a block down to those at which every price covers its floor, however costs are
 * rounded (rules#price-range): above a bound all do, under it each is looked at. The most that a rule
 * lets earn cuts nothing: a range has one price per unit, and its greatest values earn the most.
 * @returns undefined where none is left
 */
function keepAboveFloor(offer: Offer, block: RangeBlock, rules: Rules): SafeBlock | undefined {
  const { costPart, needs } = needsOf(offer, block, rules);
  const { low, high } = limitsOf(needs);
  const { first, step } = block.values;
  const last = stepDown(block.values, Exact.min(block.values.last, high));
  const above = Exact.max(first, low).sub(first).div(step).ceil().mul(step).add(first);
  const bound = Exact.min(above, last + step);
  const found = lookDown(offer, block, { bound, first, step, rules });
  if (found > last || !Number.isSafeInteger(found)) return undefined;
  const limits = narrow(offer, block, needs, rules.money.terms.currencyDivisor);
  return { ...block, values: { first: found, step, last }, costPart, limits };
}

function needsOf(offer: Offer, { fx, fee }: RangeBlock, { money, compiled }: Rules) {
  const { cost, productType } = offer;
  const feePart = new Exact(cost.feePct).div(100);
  const costPart = fx
    .mul(money.costRateOf(cost))
    .mul(feePart.add(1))
    .div(cost.fx ?? 1);
  // A cost is rounded up twice: what is delivered, and the fee that is a part of it.
  const rounded = money.costInShop(feePart.add(2).add(cost.fee), cost);
  const { onPrice, onMargin } = money.taxOf(productType);
  const allowed = compiled?.belowCost?.maxLossPerSale;
  const factor = allowed === undefined ? money.floorFactor(productType) : onPrice;
  const floor: Need = {
    part: costPart.mul(factor),
    slack: rounded
      .mul(factor)
      .sub(fee)
      .sub(allowed ?? 0),
  };
  const { minProfit } = compiled?.rule ?? {};
  if (minProfit === undefined) return { costPart, needs: [floor] };
  const profit: Need = {
    part: costPart.mul(onPrice),
    slack: rounded.add(onMargin.mul(minProfit)).mul(onPrice).sub(fee),
  };
  return { costPart, needs: [floor, profit] };
}

/** From which value on, and up to which, all needs are covered. */
function limitsOf(needs: readonly Need[]): { low: Exact; high: Exact } {
  let low = new Exact(0);
  let high = new Exact(Infinity);
  for (const { part, slack } of needs) {
    const left = new Exact(1).sub(part);
    if (left.gt(0)) low = Exact.max(low, slack.div(left));
    else if (left.lt(0)) high = Exact.min(high, slack.div(left));
    else if (slack.gt(0)) high = new Exact(-1);
  }
  return { low, high };
}

function stepDown({ first, step }: EvenValues, most: Exact): number {
  return most.sub(first).div(step).floor().mul(step).add(first).toNumber();
}

function lookDown(
  offer: Offer,
  block: RangeBlock,
  { bound, first, step, rules }: { bound: Exact; first: number; step: number; rules: Rules },
): number {
  let safe = bound.toNumber();
  for (let looked = 0; looked < LOOKED_AT && safe > first; looked += 1) {
    if (!covers(offer, block, safe - step, rules)) break;
    safe -= step;
  }
  return safe;
}

/** Whether one value covers its floor and the least profit. */
function covers(offer: Offer, block: RangeBlock, value: number, rules: Rules): boolean {
  const { money, compiled } = rules;
  const { fx, fee } = block;
  const { currency, currencyDivisor } = money.terms;
  const price = { ...offer.price, currency, currencyDivisor, fx: fx.toNumber(), fee };
  const open = { ...price, min: 0, max: value, increment: 1 };
  const quote = quoteOffer({ ...offer, price: open }, { type: "PRICE", value });
  const cost = money.costInShop(costOf(quote), offer.cost);
  const family = offer.productType;
  const { onPrice, onMargin } = money.taxOf(family);
  const profit = onMargin.mul(compiled?.rule.minProfit ?? 0);
  const least = compiled?.rule.minProfit === undefined ? 0 : cost.add(profit).mul(onPrice);
  return Exact.max(lowestPrice(compiled, cost, { money, family }), least).lte(value + fee);
}

/**
 * The limits within which an amount to deliver, or one for the wallet to pay, is safe too: what is
 * delivered is rounded down once more where the wallet's amount is chosen.
 */
function narrow(offer: Offer, { fx }: RangeBlock, needs: readonly Need[], dp: number): SafeLimits {
  const { cost } = offer;
  if (!("send" in offer)) return { cost };
  const perSend = fx.mul(offer.send.currencyDivisor).div(dp);
  const unitLost = new Exact(1).div(perSend);
  const ofCost = limitsOf(needs.map(({ part, slack }) => ({ part, slack: slack.add(unitLost) })));
  const perCost = fx
    .mul(cost.currencyDivisor)
    .div(dp)
    .div(cost.fx ?? 1);
  return {
    cost: { ...cost, ...within(cost, ofCost, perCost) },
    send: { ...offer.send, ...within(offer.send, limitsOf(needs), perSend) },
  };
}

function within(
  { min, max }: { min?: number; max?: number },
  { low, high }: { low: Exact; high: Exact },
  perPrice: Exact,
): { min?: number; max?: number } {
  const least = low.mul(perPrice).ceil();
  const most = high.mul(perPrice).floor();
  return {
    ...(min !== undefined && { min: Exact.max(min, least).toNumber() }),
    ...(max !== undefined && { max: Exact.min(max, most).toNumber() }),
  };
}
