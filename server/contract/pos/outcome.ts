import { type Static, Type } from "typebox";
import type { Family } from "./families.ts";

/**
 * Outcomes of a line (rules#sale-outcomes). STILL_SENDING: an attempt failed or timed out, and
 * attempts continue until `keepTryingUntil`. DELIVERED and NOT_DELIVERED are final.
 */
const OUTCOMES = ["SENDING", "STILL_SENDING", "DELIVERED", "NOT_DELIVERED"] as const;
export const Outcome = Type.Enum(OUTCOMES);
export type Outcome = Static<typeof Outcome>;

export interface ShownLine {
  readonly productType: Family;
  /** True if the provider refunded the item after its delivery. */
  readonly canceled?: boolean | undefined;
}

/**
 * Returns the name under which an outcome is displayed. Bills have their own names, because they
 * are paid, not delivered. So have canceled lines, which were refunded after their delivery.
 */
export function nameOutcome<Name extends string>(
  outcome: Name,
  lines: readonly ShownLine[],
): Name | "PAID" | "NOT_PAID" | "CANCELED" {
  const isAll = (holds: (line: ShownLine) => boolean | undefined) =>
    lines.length > 0 && lines.every(holds);
  const isBill = isAll(({ productType }) => productType === "BILL_PAY");
  if (outcome === "DELIVERED" && isBill) return "PAID";
  if (outcome !== "NOT_DELIVERED") return outcome;
  if (isAll(({ canceled }) => canceled)) return "CANCELED";
  return isBill ? "NOT_PAID" : outcome;
}

/** Returns whether the item may still be delivered. */
export function isOpenOutcome(outcome: Outcome): boolean {
  return outcome === "SENDING" || outcome === "STILL_SENDING";
}

/** Time after a sale in which an equal sale may be a mistake (rules#sale-earlier-same). */
export const RECENT_SALE_MS = 10 * 60_000;

interface EarlierLine {
  readonly outcome: Outcome;
  /** True if offer, amount and recipient are the same. */
  readonly isAlike: boolean;
  /** Milliseconds since the sale. */
  readonly age: number;
}

/**
 * Ranks an earlier sale to the same recipient. 0: still being sent, regardless of offer and age. 1:
 * a recent equal sale, which may be a mistake. 2: any other recent sale.
 * @returns undefined if the sale needs no hint
 */
export function rankEarlier({
  outcome,
  isAlike,
  age,
}: EarlierLine): { readonly rank: 0 | 1 | 2; readonly same: boolean } | undefined {
  const isRecent = age < RECENT_SALE_MS;
  const same = isAlike && isRecent;
  if (isOpenOutcome(outcome)) return { rank: 0, same };
  if (!isRecent) return undefined;
  return { rank: same && outcome !== "NOT_DELIVERED" ? 1 : 2, same };
}
