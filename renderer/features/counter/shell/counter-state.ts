import type { Family } from "../../../../server/contract/pos/families.ts";
import { type DraftEvent, type Drafts, FIRST_FAMILY, NO_DRAFTS } from "../families/index.ts";
import { NO_SALE, type SaleEvent, type SaleState } from "../sale/basket/sale-state.ts";

export interface Composed {
  readonly family: Family;
  readonly drafts: Drafts;
}

interface OpenedFrom extends Composed {
  /** True for a single offer, which may become a line without further steps. */
  readonly isOffer: boolean;
}

export interface CounterState extends Composed {
  readonly sale: SaleState;
  /** Family whose key was pressed while paying; opened after the payment. */
  readonly wanted?: Family | undefined;
  /** State before a typed number replaced it; undo returns to this state. */
  readonly interrupted?: Composed | undefined;
  /** Number field from which a search result was opened; undo returns to this field. */
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
  | { readonly type: "family-shown"; readonly family: Family }
  /**
   * A number was typed in a step where digits pick, so it belongs to the first step. Picks by its
   * first digits are undone. `keepsItem`: the line in the confirm step is older and stays in the
   * basket.
   */
  | { readonly type: "number-begun"; readonly text: string; readonly keepsItem: boolean }
  /**
   * A scanner's characters acted as shortcuts. The scanned text goes to the number field of the
   * state before the scan.
   */
  | { readonly type: "scanned"; readonly text: string; readonly before: CounterState }
  /** The customer rejected the number of a line, so the clerk types it again. */
  | { readonly type: "number-refused"; readonly transactionId: string; readonly number: string }
  | { readonly type: "thing-opened"; readonly begins: DraftEvent; readonly isOffer: boolean }
  | DraftEvent
  | { readonly type: "sale"; readonly event: SaleEvent }
  | { readonly type: "undo" };
