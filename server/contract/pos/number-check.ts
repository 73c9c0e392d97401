import { type Static, Type } from "typebox";

/** When customers confirm the number of a top-up on their display: NEW is one not sold to before. */
const CONFIRM_NUMBER = ["NEVER", "NEW", "ALWAYS"] as const;
export const ConfirmNumber = Type.Enum(CONFIRM_NUMBER, {
  description: "When customers confirm the number of a top-up on their display before it is paid",
});
export type ConfirmNumber = Static<typeof ConfirmNumber>;

/** How the number of a line was checked: its customer confirmed it, or the seller went on without. */
export const NumberCheck = Type.Enum(["CUSTOMER", "CLERK"] as const, {
  description:
    "Of a top-up whose number the customer was to confirm: CUSTOMER, who did; CLERK, who went on without",
});
export type NumberCheck = Static<typeof NumberCheck>;
