import { type BelowCost, periodOf, type StoredPriceRule } from "../../../contract/pos/prices.ts";
import type { Offer, Price } from "../../../contract/v1/offers.ts";
import { Exact } from "../../../lib/money.ts";
import { costOf, quoteOffer } from "../catalog/index.ts";
import { PriceGrid } from "./price-grid.ts";
import { partOf, type ShopMoney } from "./shop-money.ts";

/** The steps of a price, in their order (rules#price-computation). */
export const PRICE_STEPS = [
  "COST",
  "BASIS",
  "RULE",
  "PROFIT",
  "TAX",
  "GRID",
  "FLOOR",
  "PRICE",
] as const;
export type PriceStepName = (typeof PRICE_STEPS)[number];

/** What a price was after a step, in minor units of the shop's currency. */
export interface PriceStep {
  step: PriceStepName;
  amount: Exact;
}

/** Why an offer is not sold: no price that the rules allow covers its floor, or lies on the grid. */
export type BlockReason = "UNDER_FLOOR" | "NO_GRID_PRICE" | "TOO_LARGE";

/** An offer with its price, and how it was made. */
export interface PricedByRule {
  /** With its price block in the shop's currency; one that is blocked is disabled. */
  offer: Offer;
  rule: CompiledRule | undefined;
  blocked: BlockReason | undefined;
  /** Of an offer that is blocked because an owner set its price under the floor: the least that it may be. */
  least?: number;
  /** Of a RANGE offer with fewer values than it has elsewhere: its ends without the floor. */
  full?: { min: number; max: number };
  /** Of a RANGE offer those of its smallest value. */
  steps: PriceStep[];
}

/** The same offer with another price. */
export function withPrice(offer: Offer, price: Price): Offer {
  return { ...offer, price };
}

type Outcome = Omit<PricedByRule, "rule">;

/** What the wallet pays for a FIXED offer, in minor units of the shop's currency. */
export function fixedCost(offer: Offer, money: ShopMoney): Exact {
  return money.costInShop(costOf(quoteOffer(offer, undefined)), offer.cost);
}

/**
 * The price of a FIXED offer by a rule (rules#price-computation): the basis, how, profit, tax, the
 * grid, the floor. It has no fee of its own: what it costs to sell is in the basis.
 * @param suggested the offer's price block in the shop's currency, where no rule is for it
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
  const basis = add("BASIS", rule.basis === "COST" ? cost : suggestedOf(offer, money));
  const raised = add("RULE", Exact.max(0, raise(compiled, basis)));
  const isSet = rule.how === "SET";
  const clamped = isSet ? raised : add("PROFIT", clamp(compiled, raised, { cost, money, family }));
  const taxed = isSet ? raised : add("TAX", clamped.mul(money.taxOf(family).onPrice));
  const onGrid = grid.round(taxed);
  add("GRID", new Exact(onGrid));
  const floor = add("FLOOR", lowestPrice(compiled, cost, { money, family }));
  const isUnder = floor.gt(onGrid);
  const price = isUnder ? grid.atLeast(floor) : onGrid;
  if (!Number.isSafeInteger(price)) return refuse(offer, suggested, "TOO_LARGE", steps);
  if (isUnder && isSet) {
    const refused = refuse(offer, { ...suggested, fixed: onGrid, fee: 0 }, "UNDER_FLOOR", steps);
    // Raised, it loses nothing, whatever loss the rule allows.
    return { ...refused, least: grid.atLeast(lowestPrice(undefined, cost, { money, family })) };
  }
  const margin = money.marginOf(add("PRICE", new Exact(price)), cost, offer);
  return {
    offer: withPrice(offer, { ...suggested, fixed: price, fee: 0, margin }),
    blocked: undefined,
    steps,
  };
}

/** The suggested price, raised where it is under the floor of the list. */
export function keepFixed(
  offer: Offer,
  suggested: Price,
  { money, grid }: { money: ShopMoney; grid: PriceGrid },
): Outcome {
  const cost = fixedCost(offer, money);
  const total = (suggested.fixed ?? 0) + suggested.fee;
  const floor = money.floorOf(cost, offer.productType);
  const steps: PriceStep[] = [
    { step: "COST", amount: cost },
    { step: "BASIS", amount: new Exact(total) },
    { step: "FLOOR", amount: floor },
  ];
  const isUnder = floor.gt(total);
  const price = isUnder ? grid.atLeast(floor) : total;
  if (!Number.isSafeInteger(price)) return refuse(offer, suggested, "TOO_LARGE", steps);
  steps.push({ step: "PRICE", amount: new Exact(price) });
  if (!isUnder) return { offer: withPrice(offer, suggested), blocked: undefined, steps };
  const margin = money.marginOf(new Exact(price), cost, offer);
  const raised = { ...suggested, fixed: price, fee: 0, margin };
  return { offer: withPrice(offer, raised), blocked: undefined, steps };
}

/** The lowest that a price by a rule may be: the floor, or what the loss that it allows leaves. */
export function lowestPrice(
  compiled: Pick<CompiledRule, "belowCost"> | undefined,
  cost: Exact,
  { money, family }: { money: ShopMoney; family: Offer["productType"] },
): Exact {
  const floor = money.floorOf(cost, family);
  const allowed = compiled?.belowCost;
  if (!allowed) return floor;
  return Exact.max(0, money.breakEven(cost, family).sub(allowed.maxLossPerSale));
}

function refuse(
  offer: Offer,
  price: Price,
  blocked: "UNDER_FLOOR" | "TOO_LARGE",
  steps: PriceStep[],
): Outcome {
  return { offer: { ...withPrice(offer, price), enabled: false }, blocked, steps };
}

function suggestedOf({ price }: Offer, money: ShopMoney): Exact {
  return money.inShop((price.fixed ?? 0) + price.fee, price);
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
  const { onMargin } = money.taxOf(family);
  const atProfit = (profit: number) => cost.add(onMargin.mul(profit));
  const { minProfit, maxProfit } = rule;
  const most = maxProfit === undefined ? price : Exact.min(price, atProfit(maxProfit));
  return minProfit === undefined ? most : Exact.max(most, atProfit(minProfit));
}

/** A rule with what is worked out of it once. */
export interface CompiledRule {
  readonly rule: StoredPriceRule;
  readonly from: number;
  readonly until: number;
  /** What MARKUP and MARGIN multiply a basis by. */
  readonly factor: Exact;
  readonly grid: PriceGrid;
  /** Whether the grid is one that an owner has stated. */
  readonly isRounded: boolean;
  /** The loss that is allowed now. */
  readonly belowCost: BelowCost | undefined;
}

/**
 * @param at the instant that the rule is compiled for
 * @param isSpent whether the budget of its losses is used up
 */
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
    factor: factorOf(rule),
    grid: new PriceGrid(own),
    isRounded: own !== undefined,
    belowCost: isAllowed ? belowCost : undefined,
  };
}

function factorOf({ how, percent = "0" }: StoredPriceRule): Exact {
  const part = partOf(percent);
  return how === "MARGIN" ? new Exact(1).div(new Exact(1).sub(part)) : part.add(1);
}
