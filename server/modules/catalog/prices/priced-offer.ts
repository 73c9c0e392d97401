import type { Offer, Price } from "../../../contract/v1/offers.ts";
import type { Exact } from "../../../lib/money.ts";
import type { CompiledRule } from "./compiled-rule.ts";

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
