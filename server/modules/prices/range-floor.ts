import type { Offer, Price, TopupOffer } from "../../contract/v1/offers.ts";
import { Exact } from "../../lib/money.ts";
import { costOf, quoteOffer } from "../catalog/index.ts";
import type { CompiledRule } from "./compiled-rule.ts";
import { lowestPrice } from "./fixed-price.ts";
import type { EvenValues } from "./price-grid.ts";
import type { ShopMoney } from "./shop-money.ts";

/** What a RANGE offer is sold at: what one major unit delivers, the fee on top, and the values. */
export interface RangeBlock {
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
export function withLimits(offer: Offer, price: Price, { cost, send }: SafeLimits): Offer {
  return "send" in offer && send ? { ...offer, price, cost, send } : { ...offer, price, cost };
}

/** Values under the bound that are looked at one by one. */
const LOOKED_AT = 100;

/**
 * Cuts the values of a block down to those at which every price covers its floor, however costs are
 * rounded (rules#price-range): above a bound all do, under it each is looked at. The most that a rule
 * lets earn cuts nothing: a range has one price per unit, and its greatest values earn the most.
 * @returns undefined where none is left
 */
export function keepAboveFloor(
  offer: Offer,
  block: RangeBlock,
  rules: Rules,
): SafeBlock | undefined {
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
