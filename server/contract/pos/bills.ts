import { type Static, Type } from "typebox";
import { CurrencyCode, CurrencyDivisor, Input, MinorAmount, Timestamp } from "../common.ts";
import { PurchaseValue, VoucherField } from "../v1/purchase-record.ts";

/** `POST /pos/bills`: queries the biller for what is due. */
export const PosBillInput = Input({
  offerId: Type.String({ minLength: 1, maxLength: 128 }),
  fields: Type.Array(VoucherField, { maxItems: 64 }),
});
export type PosBillInput = Static<typeof PosBillInput>;

/** A bill: what is due is `send`, what the customer pays for it `price`, fee included. */
export const PosBill = Type.Object({
  offerId: Type.String(),
  value: Type.Optional(PurchaseValue),
  send: MinorAmount,
  sendCurrency: CurrencyCode,
  sendCurrencyDivisor: CurrencyDivisor,
  price: MinorAmount,
  priceFee: MinorAmount,
  priceCurrency: CurrencyCode,
  priceCurrencyDivisor: CurrencyDivisor,
  retrievedAt: Timestamp,
});
export type PosBill = Static<typeof PosBill>;
