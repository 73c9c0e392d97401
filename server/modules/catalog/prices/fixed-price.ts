import type { Offer, Price } from "../../../contract/v1/offers.ts";
import { Exact } from "../../../lib/money.ts";
import { costOf, quoteOffer } from "../catalog/index.ts";
import type { CompiledRule } from "./compiled-rule.ts";
import type { PriceGrid } from "./price-grid.ts";
import { type PricedByRule, type PriceStep, withPrice } from "./priced-offer.ts";
import type { ShopMoney } from "./shop-money.ts";

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
