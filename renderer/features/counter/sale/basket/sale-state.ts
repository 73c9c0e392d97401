import type { Environment } from "../../../../../server/contract/common.ts";
import type { CheckedLine } from "../../../../../server/contract/pos/sales.ts";
import type { Attempt } from "../attempt/attempt-store.ts";
import type { GivenNumberCheck, LineItem } from "../attempt/line-item.ts";
import { NO_TENDER, type OtherKind, type TenderState } from "../tender/tender.ts";

export interface SaleContext {
  /** Used only if this line is the first of its sale. */
  readonly saleId: string;
  readonly transactionId: string;
  readonly environment: Environment;
  readonly training?: boolean;
  readonly staffId: string;
  readonly openedAt: number;
}

/** Checks by transaction id. Lines without the gateway's answer are missing. */
export type Checks = ReadonlyMap<string, CheckedLine>;

export type SaleEntry =
  | { readonly kind: "discount"; readonly transactionId: string; readonly text: string }
  | { readonly kind: "hold"; readonly heldSaleId: string; readonly text: string };

export interface SaleState {
  /** Set, and stored, while the sale has lines. */
  readonly attempt: Attempt | undefined;
  readonly confirming: boolean;
  /**
   * Price that the customer was told first, by transaction id. Contains only lines with a changed
   * price.
   */
  readonly moved: Readonly<Record<string, number>>;
  /** Like `moved`, for the delivered amount. */
  readonly movedSends: Readonly<Record<string, number>>;
  readonly tender: TenderState;
  /** Input other than cash: a discount, or the name of a held sale. */
  readonly entry: SaleEntry | undefined;
  readonly paying: boolean;
  /** True until the gateway answers the request to hold the sale. */
  readonly holding: boolean;
  readonly asksDiscount: boolean;
  /** True if Enter was typed ahead: the till pays as soon as the permission is granted. */
  readonly paysAfter: boolean;
  readonly error: unknown;
  /**
   * Set after the clerk typed a word, or a row of keys as long as a code. Enter then pays only
   * after the clerk could see the text.
   */
  readonly asksLook: "word" | "row" | undefined;
}

export const NO_SALE: SaleState = {
  attempt: undefined,
  confirming: false,
  moved: {},
  movedSends: {},
  tender: NO_TENDER,
  entry: undefined,
  paying: false,
  holding: false,
  asksDiscount: false,
  paysAfter: false,
  error: undefined,
  asksLook: undefined,
};

/** Returns whether the sale waits for the gateway, so that no key may change it. */
export function awaitsAnswer({ paying, holding }: SaleState): boolean {
  return paying || holding;
}

export const MOST_LINES = 20;

export interface GivenDiscount {
  readonly transactionId: string;
  readonly discount: number;
}

export type SaleEvent =
  | { readonly type: "composed"; readonly item: LineItem; readonly context: SaleContext }
  /** Opens the payment of the basket without a new line. */
  | { readonly type: "basket-opened" }
  | { readonly type: "line-kept" }
  /** Removes the open line, which was a mistake, with its tenders. */
  | { readonly type: "taken-back" }
  | { readonly type: "line-removed"; readonly transactionId: string }
  /** `heldBack` is true if a check prevented the payment. */
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
  /** The keys formed a word. Restores `tender` to its state before the word. */
  | { readonly type: "word-typed"; readonly tender: TenderState }
  /** Enter was pressed before the clerk could see the text of many keys. */
  | { readonly type: "look-asked" }
  | { readonly type: "entry-opened"; readonly entry: SaleEntry }
  | { readonly type: "entry-typed"; readonly text: string }
  /** A discount of 0 removes the discount. */
  | ({ readonly type: "discounted" } & GivenDiscount)
  | ({
      readonly type: "discount-approved";
      readonly approvalId: string | undefined;
      readonly belowCost: boolean;
    } & GivenDiscount)
  | ({ readonly type: "discount-refused"; readonly error: unknown } & GivenDiscount)
  | { readonly type: "discount-asked" }
  | { readonly type: "discount-answered" }
  /**
   * `pay-after` delays a payment until the permission is answered. `pays-after-all` cancels the
   * payment.
   */
  | { readonly type: "pay-after" }
  | { readonly type: "pays-after-all" }
  | { readonly type: "hold"; readonly heldSaleId: string }
  | { readonly type: "held"; readonly saleId: string }
  | { readonly type: "hold-failed"; readonly error: unknown }
  | { readonly type: "pay" }
  | { readonly type: "answered" }
  /** `prices` are the new prices by transaction id. */
  | {
      readonly type: "refused";
      readonly error: unknown;
      readonly prices?: Readonly<Record<string, number>>;
    }
  /**
   * The browser cannot store the attempt. The attempt does not change, because a change would be
   * stored at once.
   */
  | { readonly type: "not-stored"; readonly error: unknown }
  | { readonly type: "restored"; readonly attempt: Attempt }
  | { readonly type: "resumed"; readonly attempt: Attempt }
  | { readonly type: "error-seen" }
  | { readonly type: "back" };
