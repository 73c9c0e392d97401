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
