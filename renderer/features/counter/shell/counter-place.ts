import { FAMILIES } from "../../../../server/contract/pos/families.ts";
import { draftUnderArrows, isDraftUntouched, typedInDraft } from "../families/index.ts";
import type { CounterState } from "./counter-state.ts";

/** Returns a name that is unique across families. */
export function nameOfStep({ sale, family, drafts }: CounterState): string {
  return sale.confirming ? "confirm" : `${family} ${drafts[family].step}`;
}

export function isUntouched({ family, drafts }: CounterState): boolean {
  return isDraftUntouched(drafts, family);
}

/** Returns the id of the tile, or the known number, selected with the arrow keys. */
export function underArrows({ sale, family, drafts }: CounterState): string | undefined {
  return sale.confirming ? undefined : draftUnderArrows(drafts, family);
}

/** Returns a text that differs after each change of the input. */
export function typedText({ drafts }: CounterState): string {
  return JSON.stringify(FAMILIES.map((family) => typedInDraft(drafts, family)));
}
