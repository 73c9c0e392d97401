import type { PosQuote } from "../../../../../server/contract/pos/counter.ts";
import type { PurchaseValue } from "../../../../../server/contract/v1/purchase-record.ts";

/** Meaning of the typed amount: ZEND is the delivered amount, PRICE the customer's price. */
export type AmountSide = "ZEND" | "PRICE";

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
