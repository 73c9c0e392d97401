import { FAMILIES } from "../../../../server/contract/pos/families.ts";
import { draftUnderArrows, isDraftUntouched, typedInDraft } from "../families/index.ts";
import type { CounterState } from "./counter-state.ts";

/** The name of the open step, unique over all families. */
export function nameOfStep({ sale, family, drafts }: CounterState): string {
  return sale.confirming ? "confirm" : `${family} ${drafts[family].step}`;
}

/** Nothing of the line was chosen or typed yet. */
export function isUntouched({ family, drafts }: CounterState): boolean {
  return isDraftUntouched(drafts, family);
}

/** What the arrow keys have moved to: a tile, or a known number. */
export function underArrows({ sale, family, drafts }: CounterState): string | undefined {
  return sale.confirming ? undefined : draftUnderArrows(drafts, family);
}

/** All text typed in the open step: a different value whenever any of it changes. */
export function typedText({ drafts }: CounterState): string {
  return JSON.stringify(FAMILIES.map((family) => typedInDraft(drafts, family)));
}
