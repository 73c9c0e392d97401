import { FAMILIES } from "../../../../server/contract/pos/families.ts";
import { draftUnderArrows, isDraftUntouched, typedInDraft } from "../families/index.ts";
import type { CounterState } from "./counter-state.ts";

/** Unique across families. */
export function nameOfStep({ sale, family, drafts }: CounterState): string {
  return sale.confirming ? "confirm" : `${family} ${drafts[family].step}`;
}

export function isUntouched({ family, drafts }: CounterState): boolean {
  return isDraftUntouched(drafts, family);
}

/** Id of the tile, or the known number, that the arrow keys selected. */
export function underArrows({ sale, family, drafts }: CounterState): string | undefined {
  return sale.confirming ? undefined : draftUnderArrows(drafts, family);
}

/** Differs after each change of the text. */
export function typedText({ drafts }: CounterState): string {
  return JSON.stringify(FAMILIES.map((family) => typedInDraft(drafts, family)));
}
