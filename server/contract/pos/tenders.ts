import { type Static, Type } from "typebox";
import { Input, MinorAmount } from "../common.ts";
import { Name } from "./name.ts";

const TENDER_KINDS = ["CASH", "CARD", "OTHER"] as const;
export const TenderKind = Type.Enum(TENDER_KINDS);
export type TenderKind = Static<typeof TenderKind>;

/** More than any drawer holds, and small enough that sums of them stay exact. */
export const MOST_CASH = 999_999_999_999;

/**
 * How a sale is paid: at most one CASH, with what was handed over as `tendered`; CARD and OTHER with
 * the `amount` they pay and a `reference` of their own, such as the number of a card receipt. What they
 * leave of the total is paid in cash, and only cash gives change (rules#tender-split).
 */
export const TenderInput = Input({
  kind: TenderKind,
  tendered: Type.Optional(Type.Integer({ minimum: 0, maximum: MOST_CASH })),
  amount: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_CASH })),
  reference: Type.Optional(Name(64)),
});
export type TenderInput = Static<typeof TenderInput>;

/** `amount` is what it pays of the total: the amounts of a sale's tenders add up to its total. */
export const Tender = Type.Object({
  kind: TenderKind,
  amount: MinorAmount,
  tendered: Type.Optional(Type.Integer({ description: "Cash handed over, before change" })),
  reference: Type.Optional(Type.String()),
});
export type Tender = Static<typeof Tender>;

/** What each tender pays of a total, in the order given: cash what the others leave of it. */
export function sharesOf(total: number, tenders: readonly TenderInput[]): Tender[] {
  const others = tenders.filter(({ kind }) => kind !== "CASH");
  const due = total - others.reduce((sum, { amount = 0 }) => sum + amount, 0);
  return tenders.map(({ kind, amount = 0, tendered = 0, reference }) =>
    kind === "CASH"
      ? { kind, amount: due, tendered }
      : { kind, amount, ...(reference !== undefined && { reference }) },
  );
}

/** What goes back over the counter at once. */
export function changeOf(tenders: readonly Tender[]): number {
  return tenders.reduce((sum, { amount, tendered = amount }) => sum + tendered - amount, 0);
}
