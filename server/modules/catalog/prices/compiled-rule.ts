import { type BelowCost, periodOf, type StoredPriceRule } from "../../../contract/pos/prices.ts";
import { Exact } from "../../../lib/money.ts";
import { PriceGrid } from "./price-grid.ts";
import { partOf } from "./shop-money.ts";

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
