import { type Static, Type } from "typebox";

/**
 * Condition under which customers confirm a top-up's number on their display: NEW is a number without an
 * earlier sale.
 */
const CONFIRM_NUMBER = ["NEVER", "NEW", "ALWAYS"] as const;
export const ConfirmNumber = Type.Enum(CONFIRM_NUMBER, {
  description: "When customers confirm the number of a top-up on their display before it is paid",
});
export type ConfirmNumber = Static<typeof ConfirmNumber>;

/** Check of a line's number: the customer confirmed it, or the seller skipped the check. */
export const NumberCheck = Type.Enum(["CUSTOMER", "CLERK"] as const, {
  description:
    "For a top-up whose number the customer had to confirm: CUSTOMER confirmed it; CLERK skipped the check",
});
export type NumberCheck = Static<typeof NumberCheck>;
