import { type Static, Type } from "typebox";
import { CurrencyCode, CurrencyDivisor, Input, MinorAmount } from "../common.ts";
import { PurchaseValue } from "../v1/purchase-record.ts";

/** `POST /pos/quotes`: the exact amounts of an offer of any family, for a RANGE offer at a value. */
export const PosQuoteInput = Input({
  offerId: Type.String({ minLength: 1, maxLength: 128 }),
  value: Type.Optional(PurchaseValue),
});
export type PosQuoteInput = Static<typeof PosQuoteInput>;

/** `send` is 0 of an eSIM, which delivers no money. */
export const PosQuote = Type.Object({
  offerId: Type.String({
    description: "What is sold: of a free amount that a FIXED offer has too, that one",
  }),
  value: Type.Optional(PurchaseValue),
  price: MinorAmount,
  priceFee: MinorAmount,
  priceCurrency: CurrencyCode,
  priceCurrencyDivisor: CurrencyDivisor,
  send: MinorAmount,
  sendCurrency: CurrencyCode,
  sendCurrencyDivisor: CurrencyDivisor,
});
export type PosQuote = Static<typeof PosQuote>;
