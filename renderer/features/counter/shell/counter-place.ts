import { FAMILIES } from "../../../../server/contract/pos/families.ts";
import { draftUnderArrows, isDraftUntouched, typedInDraft } from "../families/index.ts";
import type { CounterState } from "./counter-state.ts";

/** Returns a name of the step that is unique across families. */
export function nameOfStep({ sale, family, drafts }: CounterState): string {
  if (sale.entry?.kind === "hold") {
    return "hold";
  }
  return sale.confirming ? "confirm" : `${family} ${drafts[family].step}`;
}

export function isUntouched({ family, drafts }: CounterState): boolean {
  return isDraftUntouched(drafts, family);
}

export function underArrows({ sale, family, drafts }: CounterState): string | undefined {
  if (sale.entry?.kind === "hold") {
    return "hold";
  }
  return sale.confirming ? undefined : draftUnderArrows(drafts, family);
}

export function typedText({ drafts }: CounterState): string {
  return JSON.stringify(FAMILIES.map((family) => typedInDraft(drafts, family)));
}
