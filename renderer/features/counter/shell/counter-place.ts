import { FAMILIES } from "../../../../server/contract/pos/families.ts";
import { draftUnderArrows, isDraftUntouched, typedInDraft } from "../families/index.ts";
import type { CounterState } from "./counter-state.ts";

/** The step that is open, another name for each of all families. */
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

/** Everything that is typed in the step that is open: another text whenever any of it changes. */
export function typedText({ drafts }: CounterState): string {
  return JSON.stringify(FAMILIES.map((family) => typedInDraft(drafts, family)));
}
