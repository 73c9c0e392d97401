import { type Drafts, NO_DRAFTS } from "../families/index.ts";
import type { TillPlace } from "../sale/attempt/till.ts";

/** In memory only: half-typed input is gone with the window, and nobody else ever sees it. */
const stored = new Map<string, Drafts>();

/** What this person had typed when the till was locked. */
export function findDrafts(place: TillPlace): Drafts {
  return stored.get(keyOf(place)) ?? NO_DRAFTS;
}

/** The sale itself is stored with its attempt, and which family is open is in the address. */
export function keepDrafts(place: TillPlace, drafts: Drafts): void {
  stored.set(keyOf(place), drafts);
}

/** As a window that was closed forgets them. */
export function forgetDrafts(): void {
  stored.clear();
}

/** Nothing half-typed in training is sold for money. */
function keyOf({ staffId, environment, training }: TillPlace): string {
  return `${staffId} ${environment} ${training}`;
}
