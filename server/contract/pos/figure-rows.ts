import { type Static, Type } from "typebox";
import { Input, MinorAmount, Timestamp } from "../common.ts";
import { Family } from "./families.ts";
import { days, FigureDimension } from "./figures.ts";
import { TaxKind } from "./taxes.ts";
import { NamedTender, TenderKind } from "./tenders.ts";

/** Which lines: of days, of one family, brand, country, clerk or till; the newest first. */
const ofLines = {
  ...days,
  by: Type.Optional(FigureDimension),
  value: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
};
const paging = {
  before: Type.Optional(
    Type.String({ maxLength: 200, description: "`next` of the page before, as it was answered" }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 200 }),
};
export const FigureLinesQuery = Input({ ...ofLines, ...paging });
export const FigureLinesFile = Input(ofLines);
export type FigureLinesFile = Static<typeof FigureLinesFile>;

/** A line that was sold, or that failed: then its amounts are below zero. */
export const FigureLine = Type.Object({
  at: Timestamp,
  kind: Type.Enum(["SOLD", "NOT_DELIVERED"]),
  saleId: Type.String(),
  saleNumber: Type.Integer(),
  transactionId: Type.String(),
  family: Family,
  offerId: Type.String(),
  brand: Type.String(),
  brandName: Type.String(),
  country: Type.String(),
  clerk: Type.String(),
  till: Type.String({ description: "Its name; FILE, UNKNOWN or BEFORE where there is none" }),
  price: MinorAmount,
  discount: MinorAmount,
  sold: MinorAmount,
  tax: MinorAmount,
  cost: MinorAmount,
  earned: MinorAmount,
  rate: Type.String(),
  taxKind: TaxKind,
  taxPercent: Type.String(),
});
export type FigureLine = Static<typeof FigureLine>;

const next = Type.Optional(
  Type.String({ description: "Asks for the page after; absent at the end" }),
);
export const FigureLines = Type.Object({ list: Type.Array(FigureLine), next });
export type FigureLines = Static<typeof FigureLines>;

export const FigureMovementsQuery = Input({ ...days, ...paging });
/** What was taken for a sale or handed back, by one tender. */
export const FigureMovement = Type.Object({
  at: Timestamp,
  kind: Type.Enum(["TAKEN", "HANDED_BACK"]),
  saleId: Type.String(),
  saleNumber: Type.Integer(),
  tender: TenderKind,
  tenderId: NamedTender.tenderId,
  name: NamedTender.name,
  clerk: Type.String(),
  amount: Type.Integer({ description: "Below zero where it was handed back" }),
  reference: Type.String(),
});
export type FigureMovement = Static<typeof FigureMovement>;
export const FigureMovements = Type.Object({ list: Type.Array(FigureMovement), next });
export type FigureMovements = Static<typeof FigureMovements>;

/** `GET /pos/figures/owed`: lines not delivered whose money was not handed back, the newest first. */
export const FigureOwedQuery = Input(paging);
export const FigureOwed = Type.Object({
  lines: Type.Integer({ description: "All of them, whatever the page" }),
  amount: Type.Integer({ description: "Of all of them" }),
  list: Type.Array(
    Type.Object({
      failedAt: Timestamp,
      saleId: Type.String(),
      saleNumber: Type.Integer(),
      transactionId: Type.String(),
      clerk: Type.String(),
      amount: MinorAmount,
    }),
  ),
  next,
});
export type FigureOwed = Static<typeof FigureOwed>;
