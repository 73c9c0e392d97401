import type { Offer } from "../../contract/v1/offers.ts";
import { leastCostOf } from "../catalog/index.ts";

/** Costs of offers; minor units of the wallet's currency. */
export interface CostRange {
  least: number;
  /** The median. */
  usual: number;
}

/**
 * The distinct costs of a catalog in order, so that a till compares positions and never sees amounts
 * (docs/decisions/0040).
 */
export class CostLadder {
  readonly #costs: readonly number[];

  constructor(costs: readonly number[]) {
    this.#costs = [...new Set(costs)].sort((a, b) => a - b);
  }

  /** How many of them are lower than `cost`. */
  rankOf(cost: number): number {
    return this.countUpTo(cost - 1);
  }

  /** How many of them are at most `amount`. */
  countUpTo(amount: number): number {
    let low = 0;
    let high = this.#costs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#costs[middle] ?? 0) <= amount) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The costs of offers with a fixed price. */
export function fixedCosts(offers: readonly Offer[]): number[] {
  return offers.filter(({ priceType }) => priceType === "FIXED").map(leastCostOf);
}

/** Undefined when there are no costs. */
export function costRangeOf(costs: readonly number[]): CostRange | undefined {
  const sorted = costs.toSorted((a, b) => a - b);
  const [least] = sorted;
  const usual = sorted[sorted.length >> 1];
  return least === undefined || usual === undefined ? undefined : { least, usual };
}
