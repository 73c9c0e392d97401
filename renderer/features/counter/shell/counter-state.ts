import type { Family } from "../../../../server/contract/pos/families.ts";
import { type DraftEvent, type Drafts, FIRST_FAMILY, NO_DRAFTS } from "../families/index.ts";
import { NO_SALE, type SaleEvent, type SaleState } from "../sale/basket/sale-state.ts";

/** The open family and the drafts of all families. */
export interface Composed {
  readonly family: Family;
  readonly drafts: Drafts;
}

interface OpenedFrom extends Composed {
  /** A single offer, which may become a line without further steps. */
  readonly isOffer: boolean;
}

/** The selling path: the line being composed, and its sale. */
export interface CounterState extends Composed {
  readonly sale: SaleState;
  /** Family whose key was pressed while paying: opened after the payment. */
  readonly wanted?: Family | undefined;
  /** State at the time when a number was typed over it; undo returns to it. */
  readonly interrupted?: Composed | undefined;
  /** The number field from which a search result was opened; undo returns to it. */
  readonly openedFrom?: OpenedFrom | undefined;
}

export const INITIAL_COUNTER: CounterState = {
  family: FIRST_FAMILY,
  drafts: NO_DRAFTS,
  sale: NO_SALE,
};

export type CounterEvent =
  /** Key of a family: keeps the open line in the basket and starts a line of that family. */
  | { readonly type: "family-picked"; readonly family: Family }
  /** The address contains a family. */
  | { readonly type: "family-shown"; readonly family: Family }
  /**
   * A number was typed in a step where digits pick, so it belongs to the first step. Picks by its
   * first digits in the confirm step are undone, and the earlier line stays in the basket.
   */
  | { readonly type: "number-begun"; readonly text: string; readonly keepsItem: boolean }
  /**
   * A scanner typed where characters are shortcuts: its text goes to the number field of the state
   * before the scan.
   */
  | { readonly type: "scanned"; readonly text: string; readonly before: CounterState }
  /** The customer rejects the number of a line, which is typed again. */
  | { readonly type: "number-refused"; readonly transactionId: string; readonly number: string }
  /** A search result of the number field opens in its family. */
  | { readonly type: "thing-opened"; readonly begins: DraftEvent; readonly isOffer: boolean }
  | DraftEvent
  | { readonly type: "sale"; readonly event: SaleEvent }
  | { readonly type: "undo" };
