import type { PriceStepName } from "../../../contract/pos/price-lists.ts";
import { type BelowCost, periodOf, type StoredPriceRule } from "../../../contract/pos/prices.ts";
import type { Offer, Price } from "../../../contract/v1/offers.ts";
import { Exact } from "../../../lib/money.ts";
import { quoteOffer, sumCost } from "../catalog/index.ts";
import { PriceGrid } from "./price-grid.ts";
import { type ShopMoney, toFraction } from "./shop-money.ts";

/** Step of a price calculation, in minor units of the shop's currency. */
export interface PriceStep {
  step: PriceStepName;
  amount: Exact;
}

export type BlockReason = "UNDER_FLOOR" | "NO_GRID_PRICE" | "TOO_LARGE";

export interface PricedByRule {
  /** The offer with its price in the shop's currency; disabled if blocked. */
  offer: Offer;
  rule: CompiledRule | undefined;
  blocked: BlockReason | undefined;
  isFaceValue?: boolean;
  /** Lowest allowed price, if the SET price is below the floor. */
  least?: number;
  /** Limits of a RANGE offer before the floor removed values. */
  full?: { min: number; max: number };
  /** Steps of the calculation; for a RANGE offer, at its smallest value. */
  steps: PriceStep[];
}

export function withPrice(offer: Offer, price: Price): Offer {
  return { ...offer, price };
}

type Outcome = Omit<PricedByRule, "rule">;

export function fixedCost(offer: Offer, money: ShopMoney): Exact {
  return money.toShopCost(sumCost(quoteOffer(offer, undefined)), offer.cost);
}

/**
 * Computes basis, rule, profit, tax, grid and floor (rules#price-computation). The result has no
 * fee, because the basis includes fees.
 * @param suggested the offer's price in the shop's currency without a rule
 */
export function priceFixed(
  offer: Offer,
  compiled: CompiledRule,
  { money, suggested }: { money: ShopMoney; suggested: Price },
): Outcome {
  const { rule, grid } = compiled;
  const family = offer.productType;
  const cost = fixedCost(offer, money);
  const steps: PriceStep[] = [{ step: "COST", amount: cost }];
  const add = (step: PriceStep["step"], amount: Exact) => {
    steps.push({ step, amount });
    return amount;
  };
  const basis = add("BASIS", rule.basis === "COST" ? cost : getSuggested(offer, money));
  const raised = add("RULE", Exact.max(0, raise(compiled, basis)));
  const isSet = rule.how === "SET";
  const clamped = isSet ? raised : add("PROFIT", clamp(compiled, raised, { cost, money, family }));
  const taxed = isSet ? raised : add("TAX", clamped.mul(money.getTax(family).onPrice));
  const onGrid = grid.round(taxed);
  add("GRID", new Exact(onGrid));
  const floor = add("FLOOR", lowestPrice(compiled, cost, { money, family }));
  const isUnder = floor.gt(onGrid);
  const price = isUnder ? grid.roundUp(floor) : onGrid;
  if (!Number.isSafeInteger(price)) return refuse(offer, suggested, "TOO_LARGE", steps);
  if (isUnder && isSet) {
    const refused = refuse(offer, { ...suggested, fixed: onGrid, fee: 0 }, "UNDER_FLOOR", steps);
    // The proposed price is never a loss, even if the rule allows a loss.
    return { ...refused, least: grid.roundUp(lowestPrice(undefined, cost, { money, family })) };
  }
  const margin = money.getMargin(add("PRICE", new Exact(price)), cost, offer);
  return {
    offer: withPrice(offer, { ...suggested, fixed: price, fee: 0, margin }),
    blocked: undefined,
    steps,
  };
}

interface FixedDefaults {
  money: ShopMoney;
  grid: PriceGrid;
  endings: PriceGrid | undefined;
}

/** Rounds the suggested price to the endings, and raises it to the floor if necessary. */
export function keepFixed(
  offer: Offer,
  suggested: Price,
  { money, grid, endings }: FixedDefaults,
): Outcome {
  const cost = fixedCost(offer, money);
  const total = new Exact((suggested.fixed ?? 0) + suggested.fee);
  const onGrid = endings?.round(total) ?? total.toNumber();
  const floor = money.getFloor(cost, offer.productType);
  const steps: PriceStep[] = [
    { step: "COST", amount: cost },
    { step: "BASIS", amount: total },
    ...(endings ? [{ step: "GRID" as const, amount: new Exact(onGrid) }] : []),
    { step: "FLOOR", amount: floor },
  ];
  const isUnder = floor.gt(onGrid);
  const price = isUnder ? (endings ?? grid).roundUp(floor) : onGrid;
  if (!Number.isSafeInteger(price)) return refuse(offer, suggested, "TOO_LARGE", steps);
  steps.push({ step: "PRICE", amount: new Exact(price) });
  if (total.eq(price)) return { offer: withPrice(offer, suggested), blocked: undefined, steps };
  const margin = money.getMargin(new Exact(price), cost, offer);
  const raised = { ...suggested, fixed: price, fee: 0, margin };
  return { offer: withPrice(offer, raised), blocked: undefined, steps };
}

/**
 * Prices a domestic top-up at its face value (rules#price-face-value).
 * @param face minor units of the shop's currency
 * @returns undefined if the face value is under the floor
 */
export function priceFixedAtFace(
  offer: Offer,
  { suggested, face, money }: { suggested: Price; face: number; money: ShopMoney },
): Outcome | undefined {
  const cost = fixedCost(offer, money);
  const floor = money.getFloor(cost, offer.productType);
  if (floor.gt(face)) return undefined;
  const margin = money.getMargin(new Exact(face), cost, offer);
  return {
    offer: withPrice(offer, { ...suggested, fixed: face, fee: 0, margin }),
    blocked: undefined,
    isFaceValue: true,
    steps: [
      { step: "COST", amount: cost },
      { step: "FACE_VALUE", amount: new Exact(face) },
      { step: "FLOOR", amount: floor },
      { step: "PRICE", amount: new Exact(face) },
    ],
  };
}

/** Returns the floor, or the break-even price less the allowed loss. */
export function lowestPrice(
  compiled: Pick<CompiledRule, "belowCost"> | undefined,
  cost: Exact,
  { money, family }: { money: ShopMoney; family: Offer["productType"] },
): Exact {
  const floor = money.getFloor(cost, family);
  const allowed = compiled?.belowCost;
  if (!allowed) return floor;
  return Exact.max(0, money.getBreakEven(cost, family).sub(allowed.maxLossPerSale));
}

function refuse(
  offer: Offer,
  price: Price,
  blocked: "UNDER_FLOOR" | "TOO_LARGE",
  steps: PriceStep[],
): Outcome {
  return { offer: { ...withPrice(offer, price), enabled: false }, blocked, steps };
}

function getSuggested({ price }: Offer, money: ShopMoney): Exact {
  return money.toShopMoney((price.fixed ?? 0) + price.fee, price);
}

function raise({ rule, factor }: CompiledRule, basis: Exact): Exact {
  switch (rule.how) {
    case "MARKUP":
    case "MARGIN":
      return basis.mul(factor);
    case "ADD":
      return basis.add(rule.amount ?? 0);
    case "SET":
      return new Exact(rule.amount ?? 0);
  }
}

function clamp(
  { rule }: CompiledRule,
  price: Exact,
  { cost, money, family }: { cost: Exact; money: ShopMoney; family: Offer["productType"] },
): Exact {
  const { onMargin } = money.getTax(family);
  const atProfit = (profit: number) => cost.add(onMargin.mul(profit));
  const { minProfit, maxProfit } = rule;
  const most = maxProfit === undefined ? price : Exact.min(price, atProfit(maxProfit));
  return minProfit === undefined ? most : Exact.max(most, atProfit(minProfit));
}

export interface CompiledRule {
  readonly rule: StoredPriceRule;
  readonly from: number;
  readonly until: number;
  readonly factor: Exact;
  readonly grid: PriceGrid;
  readonly isRounded: boolean;
  readonly belowCost: BelowCost | undefined;
}

/** @param isSpent whether the rule's loss budget is used up */
export function compileRule(
  rule: StoredPriceRule,
  {
    rounding,
    at,
    isSpent,
  }: { rounding: StoredPriceRule["rounding"]; at: number; isSpent: boolean },
): CompiledRule {
  const own = rule.rounding ?? rounding;
  const { belowCost } = rule;
  const isAllowed = belowCost !== undefined && !isSpent && at < Date.parse(belowCost.until);
  return {
    rule,
    ...periodOf(rule),
    factor: toFactor(rule),
    grid: new PriceGrid(own),
    isRounded: own !== undefined,
    belowCost: isAllowed ? belowCost : undefined,
  };
}

function toFactor({ how, percent = "0" }: StoredPriceRule): Exact {
  const part = toFraction(percent);
  return how === "MARGIN" ? new Exact(1).div(new Exact(1).sub(part)) : part.add(1);
}
