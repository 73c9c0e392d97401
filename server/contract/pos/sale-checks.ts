import { type Static, Type } from "typebox";
import {
  CurrencyCode,
  CurrencyDivisor,
  Input,
  LanguageCode,
  MinorAmount,
  Timestamp,
} from "../common.ts";
import { Outcome } from "./outcome.ts";
import { PosPromo } from "./promos.ts";
import { WantedLine } from "./sale-lines.ts";

/** `POST /pos/sales/check`: what a clerk should know of each line before money is taken. Writes nothing. */
export const SaleCheckInput = Input({
  lines: Type.Array(WantedLine, { minItems: 1, maxItems: 20 }),
  language: Type.Optional(LanguageCode),
});
export type SaleCheckInput = Static<typeof SaleCheckInput>;

/**
 * What was sold to the recipient of a line before. `same` is the same offer at the same amount,
 * sold within ten minutes.
 */
export const SoldEarlier = Type.Object({
  saleId: Type.String(),
  saleNumber: Type.Integer(),
  soldAt: Timestamp,
  clerk: Type.String(),
  outcome: Outcome,
  same: Type.Boolean(),
  recipientFormatted: Type.String({ description: "Empty where nothing tells customers apart" }),
});
export type SoldEarlier = Static<typeof SoldEarlier>;

/** `problem` is why a line cannot be sold as it is; then the amounts are missing. */
export const CheckedLine = Type.Object({
  price: Type.Optional(MinorAmount),
  priceCurrency: Type.Optional(CurrencyCode),
  priceCurrencyDivisor: Type.Optional(CurrencyDivisor),
  send: Type.Optional(MinorAmount),
  sendCurrency: Type.Optional(CurrencyCode),
  sendCurrencyDivisor: Type.Optional(CurrencyDivisor),
  earlier: Type.Optional(SoldEarlier),
  pausedSince: Type.Optional(Timestamp),
  pausedByHand: Type.Optional(Type.Boolean()),
  asksNumber: Type.Optional(
    Type.Boolean({ description: "The customer is to confirm the number before it is paid" }),
  ),
  promos: Type.Array(PosPromo),
  problem: Type.Optional(
    Type.Object({
      errorCode: Type.String(),
      message: Type.String(),
      fields: Type.Record(Type.String(), Type.String()),
    }),
  ),
});
export type CheckedLine = Static<typeof CheckedLine>;

/** The lines in the order they were asked in. */
export const SaleCheck = Type.Object({ lines: Type.Array(CheckedLine) });
export type SaleCheck = Static<typeof SaleCheck>;
