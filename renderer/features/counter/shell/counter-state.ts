import { type BillEvent, type BillState, INITIAL_BILL } from "../families/bill/bill-state.ts";
import { type EsimEvent, type EsimState, INITIAL_ESIM } from "../families/esim/esim-state.ts";
import type { Family } from "../families/index.ts";
import { INITIAL_TOPUP, type TopupEvent, type TopupState } from "../families/topup/topup-state.ts";
import {
  INITIAL_VOUCHER,
  type VoucherEvent,
  type VoucherState,
} from "../families/voucher/voucher-state.ts";
import { NO_SALE, type SaleEvent, type SaleState } from "../sale/basket/sale-state.ts";

/** What is being composed of each family. */
export interface Drafts {
  readonly topup: TopupState;
  readonly voucher: VoucherState;
  readonly esim: EsimState;
  readonly bill: BillState;
}

/** What stood at the counter when a number was typed over it. */
export interface Interrupted extends Drafts {
  readonly family: Family;
}

/** The selling path: the line that is composed, and the sale it goes into. */
export interface CounterState extends Drafts {
  readonly family: Family;
  readonly sale: SaleState;
  /** The family somebody went to while money was taken: it opens once that is done. */
  readonly wanted?: Family | undefined;
  /** Where undo leads from a number that was typed where digits choose. */
  readonly interrupted?: Interrupted | undefined;
}

export const NO_DRAFTS: Drafts = {
  topup: INITIAL_TOPUP,
  voucher: INITIAL_VOUCHER,
  esim: INITIAL_ESIM,
  bill: INITIAL_BILL,
};

export const INITIAL_COUNTER: CounterState = { ...NO_DRAFTS, family: "TOPUP", sale: NO_SALE };

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
  | { readonly type: "topup"; readonly event: TopupEvent }
  | { readonly type: "voucher"; readonly event: VoucherEvent }
  | { readonly type: "esim"; readonly event: EsimEvent }
  | { readonly type: "bill"; readonly event: BillEvent }
  | { readonly type: "sale"; readonly event: SaleEvent }
  | { readonly type: "undo" };
