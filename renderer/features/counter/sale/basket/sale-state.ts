import type { Environment } from "../../../../../server/contract/common.ts";
import type { CheckedLine } from "../../../../../server/contract/pos/sales.ts";
import type { Attempt } from "../attempt/attempt-store.ts";
import type { GivenNumberCheck, LineItem } from "../attempt/line-item.ts";
import { NO_TENDER, type OtherKind, type TenderState } from "../tender/tender.ts";

export interface SaleContext {
  /** Used for the first line of a sale; later lines join that sale. */
  readonly saleId: string;
  readonly transactionId: string;
  readonly environment: Environment;
  readonly training?: boolean;
  readonly staffId: string;
  readonly openedAt: number;
}

/** The gateway's check of each line, by transaction id; a line without an answer is missing. */
export type Checks = ReadonlyMap<string, CheckedLine>;

export type SaleEntry =
  | { readonly kind: "discount"; readonly transactionId: string; readonly text: string }
  | { readonly kind: "hold"; readonly heldSaleId: string; readonly text: string };

/** Transitions: `sale-machine.ts`. */
export interface SaleState {
  /** Present and stored as soon as there is a line. */
  readonly attempt: Attempt | undefined;
  /** The confirm step is open: the next action is the payment. */
  readonly confirming: boolean;
  /** Price first told to the customer, by transaction id, for each line whose price has changed. */
  readonly moved: Readonly<Record<string, number>>;
  readonly tender: TenderState;
  /** Input other than cash: a discount, or the name of a held sale. */
  readonly entry: SaleEntry | undefined;
  readonly paying: boolean;
  /** True while the till requests permission for a discount. */
  readonly asksDiscount: boolean;
  /** Enter was typed ahead: the till pays as soon as the permission is granted. */
  readonly paysAfter: boolean;
  readonly error: unknown;
  /**
   * The clerk typed a word, or a row of keys as long as a code. Enter pays only after the clerk
   * could see the text.
   */
  readonly asksLook: "word" | "row" | undefined;
}

export const NO_SALE: SaleState = {
  attempt: undefined,
  confirming: false,
  moved: {},
  tender: NO_TENDER,
  entry: undefined,
  paying: false,
  asksDiscount: false,
  paysAfter: false,
  error: undefined,
  asksLook: undefined,
};

export const MOST_LINES = 20;

export interface GivenDiscount {
  readonly transactionId: string;
  readonly discount: number;
}

export type SaleEvent =
  | { readonly type: "composed"; readonly item: LineItem; readonly context: SaleContext }
  /** Opens the payment of the basket without a new line. */
  | { readonly type: "basket-opened" }
  /** Keeps the open line in the basket and starts another line. */
  | { readonly type: "line-kept" }
  /** The open line was a mistake: removes the line with its tenders. */
  | { readonly type: "taken-back" }
  | { readonly type: "line-removed"; readonly transactionId: string }
  /** Checks of the lines; `heldBack` is true if the checks prevented the payment. */
  | { readonly type: "checked"; readonly checks: Checks; readonly heldBack?: boolean }
  | { readonly type: "line-refused"; readonly transactionId: string; readonly error: unknown }
  | {
      readonly type: "number-checked";
      readonly transactionId: string;
      readonly check: GivenNumberCheck;
    }
  | { readonly type: "tender-typed"; readonly text: string }
  | ({ readonly type: "tender-added" } & OtherKind)
  | { readonly type: "tender-removed"; readonly index: number }
  | { readonly type: "reference-typed"; readonly index: number; readonly text: string }
  /** A row of keys turned out to be a word: restores `tender` to its state before the word. */
  | { readonly type: "word-typed"; readonly tender: TenderState }
  /** Enter was pressed before the clerk could see the text of a long row of keys. */
  | { readonly type: "look-asked" }
  | { readonly type: "entry-opened"; readonly entry: SaleEntry }
  | { readonly type: "entry-typed"; readonly text: string }
  /** 0 removes the discount. */
  | ({ readonly type: "discounted" } & GivenDiscount)
  /** The clerk may grant the discount, or it was approved. */
  | ({
      readonly type: "discount-approved";
      readonly approvalId: string | undefined;
      readonly belowCost: boolean;
    } & GivenDiscount)
  | ({ readonly type: "discount-refused"; readonly error: unknown } & GivenDiscount)
  | { readonly type: "discount-asked" }
  | { readonly type: "discount-answered" }
  /**
   * `pay-after` requests the payment after the permission is answered; `pays-after-all` clears this
   * request.
   */
  | { readonly type: "pay-after" }
  | { readonly type: "pays-after-all" }
  /** The basket was held, or holding it failed. */
  | { readonly type: "held" }
  | { readonly type: "hold-failed"; readonly error: unknown }
  | { readonly type: "pay" }
  | { readonly type: "answered" }
  /** `prices` are the new prices, by transaction id. */
  | {
      readonly type: "refused";
      readonly error: unknown;
      readonly prices?: Readonly<Record<string, number>>;
    }
  /** The browser cannot store the attempt. The attempt stays as it is, so that it is not stored again at once. */
  | { readonly type: "not-stored"; readonly error: unknown }
  | { readonly type: "restored"; readonly attempt: Attempt }
  | { readonly type: "resumed"; readonly attempt: Attempt }
  | { readonly type: "error-seen" }
  | { readonly type: "back" };
