import { defineOperation, NOTHING } from "./operation.ts";
import { PinChange, PosSession, SignInInput, SignOutQuery, TrainingInput } from "./staff.ts";

/** Signing in and out, training, and being there. */
export const sessionOperations = {
  signIn: defineOperation({
    method: "POST",
    path: "/session",
    body: SignInInput,
    answer: PosSession,
    access: "anyone",
    refusals: ["PIN_WRONG", "PIN_LOCKED", "PIN_KEY_MISSING", "PIN_DUE", "PIN_WEAK"],
  }),
  get: defineOperation({
    method: "GET",
    path: "/session",
    answer: PosSession,
    access: "staff",
    refusals: [],
  }),
  signOut: defineOperation({
    method: "DELETE",
    path: "/session",
    query: SignOutQuery,
    answer: NOTHING,
    access: "staff",
    refusals: [],
  }),
  changePin: defineOperation({
    method: "PUT",
    path: "/session/pin",
    body: PinChange,
    answer: NOTHING,
    access: "staff",
    asksPin: "always",
    refusals: ["PIN_WEAK"],
  }),
  /** That the owner at the till is the one who signed in: the desktop program asks before kiosk mode ends. */
  confirm: defineOperation({
    method: "POST",
    path: "/session/confirmation",
    answer: NOTHING,
    access: "owner",
    asksPin: "always",
    refusals: [],
  }),
  train: defineOperation({
    method: "POST",
    path: "/session/training",
    body: TrainingInput,
    answer: PosSession,
    access: "seller",
    refusals: [],
  }),
  /** Sent by the till while it is touched, at most every few seconds. */
  touch: defineOperation({
    method: "POST",
    path: "/session/activity",
    answer: NOTHING,
    access: "staff",
    refusals: [],
  }),
};
