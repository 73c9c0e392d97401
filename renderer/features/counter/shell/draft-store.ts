import type { TillPlace } from "../sale/attempt/till.ts";
import { type CounterState, type Drafts, NO_DRAFTS } from "./counter-state.ts";

/** In memory only: what was half-typed is gone with the window, and nobody else ever sees it. */
const drafts = new Map<string, Drafts>();

/** What this person had typed when the till was locked. */
export function findDrafts(place: TillPlace): Drafts {
  return drafts.get(keyOf(place)) ?? NO_DRAFTS;
}

/** The sale itself is stored with its attempt, and which family is open is in the address. */
export function keepDrafts(place: TillPlace, { topup, voucher, esim, bill }: CounterState): void {
  drafts.set(keyOf(place), { topup, voucher, esim, bill });
}

/** As a window that was closed forgets them. */
export function forgetDrafts(): void {
  drafts.clear();
}

/** Nothing half-typed in training is sold in earnest. */
function keyOf({ staffId, environment, training }: TillPlace): string {
  return `${staffId} ${environment} ${training}`;
}
