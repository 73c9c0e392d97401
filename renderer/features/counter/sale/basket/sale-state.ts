import type { Environment } from "../../../../../server/contract/common.ts";
import type { CheckedLine } from "../../../../../server/contract/pos/sales.ts";
import type { Attempt } from "../attempt/attempt-store.ts";
import type { GivenNumberCheck, LineItem } from "../attempt/line-item.ts";
import { NO_TENDER, type OtherKind, type TenderState } from "../tender/tender.ts";

/** What a line needs from outside: who sells, where, when, and fresh ids. */
export interface SaleContext {
  /** Taken for the first line of a sale; later ones join it. */
  readonly saleId: string;
  readonly transactionId: string;
  readonly environment: Environment;
  readonly training?: boolean;
  readonly staffId: string;
  readonly openedAt: number;
}

/** What the gateway says of lines, by transaction id; nothing of those it has not answered for. */
export type Checks = ReadonlyMap<string, CheckedLine>;

export type SaleEntry =
  | { readonly kind: "discount"; readonly transactionId: string; readonly text: string }
  | { readonly kind: "hold"; readonly heldSaleId: string; readonly text: string };

/** The sale being made; `sale-machine.ts` says how it moves. */
export interface SaleState {
  /** Present as soon as there is a line, and stored. */
  readonly attempt: Attempt | undefined;
  /** The confirm step is open: the next thing is the payment. */
  readonly confirming: boolean;
  /** Lines whose price is another by now, with the price that was told. */
  readonly moved: Readonly<Record<string, number>>;
  readonly tender: TenderState;
  /** Something else than cash is being typed: a discount, or the name a sale is held under. */
  readonly entry: SaleEntry | undefined;
  readonly paying: boolean;
  /** Whether a discount may be given is being asked. */
  readonly asksDiscount: boolean;
  /** Enter was pressed meanwhile: it is paid as soon as that is known. */
  readonly paysAfter: boolean;
  readonly error: unknown;
  /** A word, or a row of keys as long as a code, was typed: Enter pays once that could be seen. */
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

/** As many lines as the gateway takes in one sale. */
export const MOST_LINES = 20;

export interface GivenDiscount {
  readonly transactionId: string;
  readonly discount: number;
}

export type SaleEvent =
  | { readonly type: "composed"; readonly item: LineItem; readonly context: SaleContext }
  /** To the payment of what is in the basket, with no new line. */
  | { readonly type: "basket-opened" }
  /** The open line stays in the basket, and another is begun. */
  | { readonly type: "line-kept" }
  /** The open line was never meant: it goes, with what was tendered for it. */
  | { readonly type: "taken-back" }
  | { readonly type: "line-removed"; readonly transactionId: string }
  /** What the gateway says of the lines; `heldBack` when the payment was not taken over it. */
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
  /** Keys in a row turned out to be a word: what they chose is taken back to `tender`. */
  | { readonly type: "word-typed"; readonly tender: TenderState }
  /** Enter came sooner than anybody could see what a long row of keys had typed. */
  | { readonly type: "look-asked" }
  | { readonly type: "entry-opened"; readonly entry: SaleEntry }
  | { readonly type: "entry-typed"; readonly text: string }
  /** Off the price of a line; 0 takes it back. */
  | ({ readonly type: "discounted" } & GivenDiscount)
  /** The clerk may give it, or it was approved. */
  | ({
      readonly type: "discount-approved";
      readonly approvalId: string | undefined;
      readonly belowCost: boolean;
    } & GivenDiscount)
  /** It takes an approval, which was not given: it is taken back. */
  | ({ readonly type: "discount-refused"; readonly error: unknown } & GivenDiscount)
  | { readonly type: "discount-asked" }
  /** It is known whether it may be given, or that nobody answers. */
  | { readonly type: "discount-answered" }
  /** It is to be paid, once that is known; `pays-after-all` when it is. */
  | { readonly type: "pay-after" }
  | { readonly type: "pays-after-all" }
  /** It was put aside, or could not be. */
  | { readonly type: "held" }
  | { readonly type: "hold-failed"; readonly error: unknown }
  | { readonly type: "pay" }
  | { readonly type: "answered" }
  /** `prices` are those of now, by transaction id. */
  | {
      readonly type: "refused";
      readonly error: unknown;
      readonly prices?: Readonly<Record<string, number>>;
    }
  | { readonly type: "restored"; readonly attempt: Attempt }
  /** A basket that was put aside is taken up: the next thing is its payment. */
  | { readonly type: "resumed"; readonly attempt: Attempt }
  | { readonly type: "error-seen" }
  | { readonly type: "back" };
