import { type Static, Type } from "typebox";
import { MinorAmount } from "../common.ts";

const TAX_KINDS = ["NONE", "ON_PRICE", "ON_MARGIN"] as const;
/** Of what a family is taxed: nothing, what the customer pays, or what is earned of it. */
export const TaxKind = Type.Enum(TAX_KINDS);
export type TaxKind = Static<typeof TaxKind>;

const percent = Type.String({ description: "Without needless zeros: 19 or 2.5" });
/** A rate in a request, as figures state it. */
export const TaxRate = Type.String({
  pattern: "^[0-9]{1,3}([.][0-9]{1,6})?$",
  description: "a percentage without needless zeros, such as 19 or 2.5",
});

/**
 * What of a sale is tax on prices, by rate. A tax on what is earned is not among them: it would tell
 * the customer what was earned.
 */
export const SaleTax = Type.Object({
  percent,
  amount: Type.Integer({ description: "In the lines whose money was not handed back" }),
});
export type SaleTax = Static<typeof SaleTax>;

/** What a shift's lines are taxed, by kind and rate. */
export const ShiftTax = Type.Object({
  kind: TaxKind,
  percent,
  sold: MinorAmount,
  refunded: Type.Integer({
    description:
      "Of lines that were counted as sold before and failed since; reports of older versions count lines handed back",
  }),
});
export type ShiftTax = Static<typeof ShiftTax>;
