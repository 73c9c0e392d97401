import type { Family } from "../../../../server/contract/pos/families.ts";
import { type DraftEvent, type Drafts, FIRST_FAMILY, NO_DRAFTS } from "../families/index.ts";
import { NO_SALE, type SaleEvent, type SaleState } from "../sale/basket/sale-state.ts";

/** What is composed, and of which family it is shown. */
export interface Composed {
  readonly family: Family;
  readonly drafts: Drafts;
}

interface OpenedFrom extends Composed {
  /** One offer, which may be a line with nothing more to ask. */
  readonly isOffer: boolean;
}

/** The selling path: the line that is composed, and the sale it goes into. */
export interface CounterState extends Composed {
  readonly sale: SaleState;
  /** The family whose key was pressed while money was taken: it opens once that is done. */
  readonly wanted?: Family | undefined;
  /** The state when a number was typed over it: where undo leads back to. */
  readonly interrupted?: Composed | undefined;
  /** The one field when something that it found was opened: where undo leads back to from there. */
  readonly openedFrom?: OpenedFrom | undefined;
}

export const INITIAL_COUNTER: CounterState = {
  family: FIRST_FAMILY,
  drafts: NO_DRAFTS,
  sale: NO_SALE,
};

export type CounterEvent =
  /** A key of a family: the open line is kept, and a line of that family begun. */
  | { readonly type: "family-picked"; readonly family: Family }
  /** The address names a family. */
  | { readonly type: "family-shown"; readonly family: Family }
  /**
   * A number was typed where digits choose: it is one for the first step. What its first digits put
   * into the confirm step is taken back, and what stood there before stays in the basket.
   */
  | { readonly type: "number-begun"; readonly text: string; readonly keepsItem: boolean }
  /** A scanner typed where its signs are keys: it is read in the one field, of the counter as it was. */
  | { readonly type: "scanned"; readonly text: string; readonly before: CounterState }
  /** The customer says that the number of a line is not theirs: it is typed anew. */
  | { readonly type: "number-refused"; readonly transactionId: string; readonly number: string }
  /** Something that the one field found is begun in its family. */
  | { readonly type: "thing-opened"; readonly begins: DraftEvent; readonly isOffer: boolean }
  | DraftEvent
  | { readonly type: "sale"; readonly event: SaleEvent }
  | { readonly type: "undo" };
