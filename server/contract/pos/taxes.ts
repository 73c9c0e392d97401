import { type Static, Type } from "typebox";
import { MinorAmount } from "../common.ts";

const TAX_KINDS = ["NONE", "ON_PRICE", "ON_MARGIN"] as const;
/** Tax base of a family: none, the customer's price, or the margin. */
export const TaxKind = Type.Enum(TAX_KINDS);
export type TaxKind = Static<typeof TaxKind>;

const percent = Type.String({ description: "Without needless zeros: 19 or 2.5" });
export const TaxRate = Type.String({
  pattern: "^[0-9]{1,3}([.][0-9]{1,6})?$",
  description: "a percentage without needless zeros, such as 19 or 2.5",
});

/**
 * Tax on prices in a sale, by rate. Tax on margins is omitted, because it would reveal
 * the margin to the customer.
 */
export const SaleTax = Type.Object({
  percent,
  amount: Type.Integer({ description: "Tax in lines that were not refunded" }),
});
export type SaleTax = Static<typeof SaleTax>;

export const ShiftTax = Type.Object({
  kind: TaxKind,
  percent,
  sold: MinorAmount,
  refunded: Type.Integer({
    description:
      "Tax of lines that were counted as sold earlier and failed since; reports of older versions count refunded lines",
  }),
});
export type ShiftTax = Static<typeof ShiftTax>;
