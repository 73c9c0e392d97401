import type { PosQuote } from "../../../../../server/contract/pos/counter.ts";
import type { PurchaseValue } from "../../../../../server/contract/v1/purchase-record.ts";

/** What a typed amount names: what arrives, or what the customer pays. */
export type AmountSide = "ZEND" | "PRICE";

/** The amount of an offer that leaves it to the customer. */
export interface AmountState {
  readonly side: AmountSide;
  readonly text: string;
}

export const NO_AMOUNT: AmountState = { side: "ZEND", text: "" };

export type AmountEvent =
  | { readonly type: "amount-typed"; readonly text: string }
  | { readonly type: "amount-side"; readonly side: AmountSide };

export function amountReducer(state: AmountState, event: AmountEvent): AmountState {
  switch (event.type) {
    case "amount-typed":
      return { ...state, text: event.text };
    case "amount-side":
      return { side: event.side, text: "" };
  }
}

/** What a quote says of a line. */
export function amountsOf(quote: PosQuote): {
  readonly value?: PurchaseValue;
  readonly price: number;
  readonly send: number;
  readonly sendCurrency: string;
  readonly sendCurrencyDivisor: number;
} {
  const { value, price, send, sendCurrency, sendCurrencyDivisor } = quote;
  return { ...(value && { value }), price, send, sendCurrency, sendCurrencyDivisor };
}
