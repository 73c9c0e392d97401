import { type Static, Type } from "typebox";

/**
 * Condition under which the customer must confirm the number of a top-up on the display. NEW: the
 * number has no earlier sale.
 */
const CONFIRM_NUMBER = ["NEVER", "NEW", "ALWAYS"] as const;
export const ConfirmNumber = Type.Enum(CONFIRM_NUMBER, {
  description: "When customers confirm the number of a top-up on their display before it is paid",
});
export type ConfirmNumber = Static<typeof ConfirmNumber>;

/** Outcome of a number check: the customer confirmed the number, or the clerk skipped the check. */
export const NumberCheck = Type.Enum(["CUSTOMER", "CLERK"] as const, {
  description:
    "For a top-up whose number the customer had to confirm: CUSTOMER confirmed it; CLERK skipped the check",
});
export type NumberCheck = Static<typeof NumberCheck>;
