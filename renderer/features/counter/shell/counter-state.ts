import { FAMILIES, type Family } from "../../../../server/contract/pos/families.ts";
import { FIRST_FAMILY } from "../families/family-address.ts";
import {
  type DraftEvent,
  type Drafts,
  draftUnderArrows,
  isDraftUntouched,
  NO_DRAFTS,
  typedInDraft,
} from "../families/index.ts";
import { NO_SALE, type SaleEvent, type SaleState } from "../sale/basket/sale-state.ts";

export interface Composed {
  readonly family: Family;
  readonly drafts: Drafts;
}

interface OpenedFrom extends Composed {
  /** True for a single offer, which needs no further steps. */
  readonly isOffer: boolean;
}

export interface CounterState extends Composed {
  readonly sale: SaleState;
  /** Family whose key was pressed during the payment. It opens afterwards. */
  readonly wanted?: Family | undefined;
  /** State before the clerk typed a number in a step where digits pick. Undo returns to it. */
  readonly interrupted?: Composed | undefined;
  /** Number field in which the clerk opened a search result. Undo returns to it. */
  readonly openedFrom?: OpenedFrom | undefined;
}

export const INITIAL_COUNTER: CounterState = {
  family: FIRST_FAMILY,
  drafts: NO_DRAFTS,
  sale: NO_SALE,
};

export type CounterEvent =
  /** The clerk pressed a family's key. The open line stays in the basket. */
  | { readonly type: "family-picked"; readonly family: Family }
  | { readonly type: "family-shown"; readonly family: Family }
  /**
   * The clerk typed a number in a step where digits pick. The number belongs to the first step, and
   * the picks of its first digits are undone. `keepsItem` is true if the line in the confirm step
   * is older than the number and stays in the basket.
   */
  | { readonly type: "number-begun"; readonly text: string; readonly keepsItem: boolean }
  /**
   * Scanned characters acted as shortcuts. Restores the state before the scan, and puts the scanned
   * text into the number field.
   */
  | { readonly type: "scanned"; readonly text: string; readonly before: CounterState }
  /** The customer rejected a line's number, which must be typed again. */
  | { readonly type: "number-refused"; readonly transactionId: string; readonly number: string }
  | { readonly type: "thing-opened"; readonly begins: DraftEvent; readonly isOffer: boolean }
  | DraftEvent
  | { readonly type: "sale"; readonly event: SaleEvent }
  | { readonly type: "undo" };

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
