import { type Static, Type } from "typebox";

/**
 * The outcomes of a line (rules#sale-outcomes).
 * SENDING: accepted, nothing unusual. STILL_SENDING: an attempt failed or no answer came; it is
 * tried again until `keepTryingUntil`. DELIVERED and NOT_DELIVERED are final.
 */
const OUTCOMES = ["SENDING", "STILL_SENDING", "DELIVERED", "NOT_DELIVERED"] as const;
export const Outcome = Type.Enum(OUTCOMES);
export type Outcome = Static<typeof Outcome>;

/** It is not known yet what becomes of it: the customer may still get it. */
export function isOpenOutcome(outcome: Outcome): boolean {
  return outcome === "SENDING" || outcome === "STILL_SENDING";
}

/** A sale of so short a while ago may be repeated by mistake (rules#sale-earlier-same). */
export const RECENT_SALE_MS = 10 * 60_000;

interface EarlierLine {
  readonly outcome: Outcome;
  /** The same was sold: the same offer at the same amount, to the same recipient. */
  readonly isAlike: boolean;
  /** Milliseconds since it was sold. */
  readonly age: number;
}

/**
 * What an earlier sale to the same recipient weighs, the least first: what is still being sent,
 * whatever it is and however old; else the same a short while ago that may be a mistake; else anything
 * of a short while ago.
 * @returns undefined where there is nothing to say of it
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
