import { type Static, Type } from "typebox";
import {
  CurrencyCode,
  CurrencyDivisor,
  Input,
  MinorAmount,
  PLAIN_TEXT,
  PriceType,
  Timestamp,
} from "../common.ts";

/** BillPay bill (rules#bill-retrieval): the amount due, and the cost and price of paying it. */
export const Bill = Type.Object(
  {
    send: MinorAmount,
    sendCurrency: CurrencyCode,
    sendCurrencyDivisor: CurrencyDivisor,
    cost: MinorAmount,
    costCurrency: CurrencyCode,
    costCurrencyDivisor: CurrencyDivisor,
    costFee: MinorAmount,
    costFeePct: Type.Number(),
    costFeeTotal: MinorAmount,
    costTotal: MinorAmount,
    price: MinorAmount,
    priceCurrency: CurrencyCode,
    priceCurrencyDivisor: CurrencyDivisor,
    priceFee: MinorAmount,
    priceFx: Type.Number(),
    priceType: PriceType,
    createdAt: Timestamp,
  },
  { title: "Bill", description: "A bill: amount due, and cost and price of paying it" },
);
export type Bill = Static<typeof Bill>;

const FIELD = { pattern: PLAIN_TEXT.pattern, minLength: 1, maxLength: 512 };

export const BillQuery = Input({
  billIdentifier: Type.Optional(
    Type.String({ ...FIELD, description: "Number of the bill", examples: ["202601"] }),
  ),
  accountNumber: Type.Optional(
    Type.String({
      ...FIELD,
      description: "Customer number at the biller",
      examples: ["30001234567"],
    }),
  ),
});
export type BillQuery = Static<typeof BillQuery>;
