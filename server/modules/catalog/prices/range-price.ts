import type { Offer, Price, TopupOffer } from "../../../contract/v1/offers.ts";
import { Exact } from "../../../lib/money.ts";
import { quoteOffer, sumCost } from "../catalog/index.ts";
import { type CompiledRule, lowestPrice, type PricedByRule, withPrice } from "./fixed-price.ts";
import { type EvenValues, PriceGrid } from "./price-grid.ts";
import type { ShopMoney } from "./shop-money.ts";

/** Number of values below the bound that are checked one by one. */
const CHECKED_VALUES = 100;

/** A double represents this many digits exactly. */
const FX_DIGITS = 12;

type Outcome = Omit<PricedByRule, "rule">;

/**
 * Prices a RANGE offer by a rule (rules#price-range). Computes the delivered amount per unit, cut
 * to twelve digits, and the grid values, starting with the smallest safe value.
 */
export function priceRange(
  offer: Offer,
  compiled: CompiledRule,
  { money, suggested }: { money: ShopMoney; suggested: Price },
): Outcome {
  const { cost, price, productType } = offer;
  const raise = compiled.factor.mul(money.getTax(productType).onPrice);
  const ofCost = compiled.rule.basis === "COST";
  const rate = ofCost
    ? money.getCostRate(cost).mul(new Exact(cost.feePct).div(100).add(1))
    : money.getRate(price);
  const basis = new Exact((ofCost ? cost.fx : price.fx) ?? 0);
  const fx = basis.div(rate.mul(raise)).toSignificantDigits(FX_DIGITS, Exact.ROUND_DOWN);
  if (fx.lte(0)) return refuse(offer, suggested, "NO_GRID_PRICE");

  const fee = (ofCost ? money.toShopCost(cost.fee, cost) : money.toShopMoney(price.fee, price)).mul(
    raise,
  );
  const values = toGridValues(compiled, { price, fx, suggested, money });
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

/** Keeps the suggested price per unit, and starts the range at the smallest safe value. */
export function keepRange(offer: Offer, suggested: Price, money: ShopMoney): Outcome {
  const { fx = 0, fee, min = 0, max = 0, increment: step = 1 } = suggested;
  const values = { first: min, step, last: max - ((max - min) % step) };
  const block = { fx: new Exact(fx), fee, values };
  const safe = keepAboveFloor(offer, block, { money, compiled: undefined });
  if (safe && safe.values.first === min && safe.values.last === values.last) {
    return { offer: withLimits(offer, suggested, safe.limits), blocked: undefined, steps: [] };
  }
  return finish(offer, { suggested, block }, safe, money);
}

interface RangeDefaults {
  suggested: Price;
  money: ShopMoney;
  grid: PriceGrid;
}

/**
 * Prices any amount of a domestic top-up at its face value (rules#price-face-value).
 * @returns undefined if any amount is under the floor: face values never shorten a range
 */
export function priceRangeAtFace(
  offer: Offer,
  of: Omit<RangeDefaults, "grid"> & { face: TopupOffer["send"]; grid: PriceGrid | undefined },
): Outcome | undefined {
  const { face, money, suggested, grid = new PriceGrid(undefined) } = of;
  const { min = 0, max = 0 } = face;
  const values = grid.evenValues(new Exact(min), new Exact(max));
  const block = { fx: new Exact(1), fee: 0, values };
  const whole = finishWhole(offer, { suggested, block }, money);
  return whole && { ...whole, isFaceValue: true };
}

/**
 * Keeps the suggested price per unit, with amounts that can be paid in cash.
 * @returns undefined if any value is under the floor: endings never shorten a range
 */
export function keepRangeOnGrid(
  offer: Offer,
  { suggested, money, grid }: RangeDefaults,
): Outcome | undefined {
  const { fx = 0, fee, min = 0, max = 0 } = suggested;
  const values = grid.evenValues(new Exact(min), new Exact(max));
  const { step } = values;
  const block = { fx: new Exact(fx), fee: Math.ceil(fee / step) * step, values };
  return finishWhole(offer, { suggested, block }, money);
}

function finishWhole(
  offer: Offer,
  of: { suggested: Price; block: RangeBlock },
  money: ShopMoney,
): Outcome | undefined {
  const { first, last } = of.block.values;
  if (last < first) return undefined;
  const safe = keepAboveFloor(offer, of.block, { money, compiled: undefined });
  const isWhole = safe?.values.first === first && safe.values.last === last;
  return isWhole ? finish(offer, of, safe, money) : undefined;
}

function toGridValues(
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
  const margin = money.getMargin(new Exact(1), safe.costPart, offer);
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

interface RangeBlock {
  fx: Exact;
  fee: number;
  values: EvenValues;
}

interface SafeBlock extends RangeBlock {
  /** Cost as an exact fraction of the price. */
  costPart: Exact;
  limits: SafeLimits;
}

interface SafeLimits {
  cost: Offer["cost"];
  send?: TopupOffer["send"];
}

interface Rules {
  money: ShopMoney;
  compiled: CompiledRule | undefined;
}

/** A price must cover `part` of itself plus `slack` minor units. */
interface PriceNeed {
  part: Exact;
  slack: Exact;
}

function withLimits(offer: Offer, price: Price, { cost, send }: SafeLimits): Offer {
  return "send" in offer && send ? { ...offer, price, cost, send } : { ...offer, price, cost };
}

/**
 * Restricts a block to values whose price covers its floor for any rounding of the cost
 * (rules#price-range). All values above a bound qualify; values below it are checked one by one. A
 * maximum profit restricts nothing, because the price per unit is constant.
 * @returns undefined if no value remains
 */
function keepAboveFloor(offer: Offer, block: RangeBlock, rules: Rules): SafeBlock | undefined {
  const { costPart, needs } = listNeeds(offer, block, rules);
  const { low, high } = intersectLimits(needs);
  const { first, step } = block.values;
  const last = stepDown(block.values, Exact.min(block.values.last, high));
  const above = Exact.max(first, low).sub(first).div(step).ceil().mul(step).add(first);
  const bound = Exact.min(above, last + step);
  const found = lookDown(offer, block, { bound, first, step, rules });
  if (found > last || !Number.isSafeInteger(found)) return undefined;
  const limits = narrow(offer, block, needs, rules.money.terms.currencyDivisor);
  return { ...block, values: { first: found, step, last }, costPart, limits };
}

function listNeeds(offer: Offer, { fx, fee }: RangeBlock, { money, compiled }: Rules) {
  const { cost, productType } = offer;
  const feePart = new Exact(cost.feePct).div(100);
  const costPart = fx
    .mul(money.getCostRate(cost))
    .mul(feePart.add(1))
    .div(cost.fx ?? 1);
  // A cost is rounded up twice: for the delivered amount and for the percentage fee.
  const rounded = money.toShopCost(feePart.add(2).add(cost.fee), cost);
  const { onPrice, onMargin } = money.getTax(productType);
  const allowed = compiled?.belowCost?.maxLossPerSale;
  const factor = allowed === undefined ? money.getFloorFactor(productType) : onPrice;
  const floor: PriceNeed = {
    part: costPart.mul(factor),
    slack: rounded
      .mul(factor)
      .sub(fee)
      .sub(allowed ?? 0),
  };
  const { minProfit } = compiled?.rule ?? {};
  if (minProfit === undefined) return { costPart, needs: [floor] };
  const profit: PriceNeed = {
    part: costPart.mul(onPrice),
    slack: rounded.add(onMargin.mul(minProfit)).mul(onPrice).sub(fee),
  };
  return { costPart, needs: [floor, profit] };
}

function intersectLimits(needs: readonly PriceNeed[]): { low: Exact; high: Exact } {
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
  for (let looked = 0; looked < CHECKED_VALUES && safe > first; looked += 1) {
    if (!covers(offer, block, safe - step, rules)) break;
    safe -= step;
  }
  return safe;
}

function covers(offer: Offer, block: RangeBlock, value: number, rules: Rules): boolean {
  const { money, compiled } = rules;
  const { fx, fee } = block;
  const { currency, currencyDivisor } = money.terms;
  const price = { ...offer.price, currency, currencyDivisor, fx: fx.toNumber(), fee };
  const open = { ...price, min: 0, max: value, increment: 1 };
  const quote = quoteOffer({ ...offer, price: open }, { type: "PRICE", value });
  const cost = money.toShopCost(sumCost(quote), offer.cost);
  const family = offer.productType;
  const { onPrice, onMargin } = money.getTax(family);
  const profit = onMargin.mul(compiled?.rule.minProfit ?? 0);
  const least = compiled?.rule.minProfit === undefined ? 0 : cost.add(profit).mul(onPrice);
  return Exact.max(lowestPrice(compiled, cost, { money, family }), least).lte(value + fee);
}

/**
 * Limits the values if the buyer chooses a delivered amount or a cost. For a chosen cost, the
 * delivered amount is rounded down a second time.
 */
function narrow(
  offer: Offer,
  { fx }: RangeBlock,
  needs: readonly PriceNeed[],
  dp: number,
): SafeLimits {
  const { cost } = offer;
  if (!("send" in offer)) return { cost };
  const perSend = fx.mul(offer.send.currencyDivisor).div(dp);
  const unitLost = new Exact(1).div(perSend);
  const ofCost = intersectLimits(
    needs.map(({ part, slack }) => ({ part, slack: slack.add(unitLost) })),
  );
  const perCost = fx
    .mul(cost.currencyDivisor)
    .div(dp)
    .div(cost.fx ?? 1);
  return {
    cost: { ...cost, ...within(cost, ofCost, perCost) },
    send: { ...offer.send, ...within(offer.send, intersectLimits(needs), perSend) },
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
