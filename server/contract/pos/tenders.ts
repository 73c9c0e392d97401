import { type Static, Type } from "typebox";
import { Input, MinorAmount } from "../common.ts";
import { roundCash } from "./cash-rounding.ts";
import { Name } from "./name.ts";

export const TENDER_KINDS = ["CASH", "CARD", "OTHER"] as const;
export const TenderKind = Type.Enum(TENDER_KINDS);
export type TenderKind = Static<typeof TenderKind>;

/** Which of the shop's tenders: the first of a kind has the kind for its id. */
export const TenderId = Type.String({
  pattern: "^(CASH|CARD|OTHER|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$",
  description: "the id of one of the shop's tenders",
});

/** More than any drawer holds, and small enough that sums of them stay exact. */
export const MOST_CASH = 999_999_999_999;

/**
 * How a sale is paid: at most one CASH, with what was handed over as `tendered`; CARD and OTHER with
 * the `amount` they pay and a `reference` of their own, such as the number of a card receipt. What they
 * leave of the total is paid in cash, and only cash gives change (rules#tender-split). Without `tenderId`
 * it is the first of its kind.
 */
export const TenderInput = Input({
  kind: TenderKind,
  tenderId: Type.Optional(TenderId),
  tendered: Type.Optional(Type.Integer({ minimum: 0, maximum: MOST_CASH })),
  amount: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_CASH })),
  reference: Type.Optional(Name(64)),
});
export type TenderInput = Static<typeof TenderInput>;

/** Which tender money came or went by: what it was called then, unless by the program's word. */
export const NamedTender = {
  kind: TenderKind,
  tenderId: Type.Optional(TenderId),
  name: Type.Optional(Type.String({ description: "Where it has none, the word for its kind" })),
};

/** `amount` is what it pays: the amounts of a sale's tenders add up to its total and its cash rounding. */
export const Tender = Type.Object({
  ...NamedTender,
  amount: MinorAmount,
  tendered: Type.Optional(Type.Integer({ description: "Cash handed over, before change" })),
  reference: Type.Optional(Type.String()),
});
export type Tender = Static<typeof Tender>;

/** What the other tenders leave of a total for cash. */
function leftForCash(total: number, tenders: readonly TenderInput[]): number {
  return tenders.reduce(
    (left, { kind, amount = 0 }) => (kind === "CASH" ? left : left - amount),
    total,
  );
}

/**
 * What the cash part of a total is rounded by: nothing where no cash is taken (rules#cash-rounding).
 * @param step what cash is rounded to, minor units; 0 not at all
 */
export function cashRoundingOf(
  total: number,
  tenders: readonly TenderInput[],
  step: number,
): number {
  if (!tenders.some(({ kind }) => kind === "CASH")) return 0;
  const due = Math.max(0, leftForCash(total, tenders));
  return roundCash(due, step) - due;
}

/**
 * What each tender pays of a total, in the order given: cash what the others leave of it, rounded by
 * `rounding`.
 */
export function sharesOf(total: number, tenders: readonly TenderInput[], rounding = 0): Tender[] {
  const due = leftForCash(total, tenders) + rounding;
  return tenders.map(({ kind, tenderId, amount = 0, tendered = 0, reference }) =>
    kind === "CASH"
      ? { kind, amount: due, tendered }
      : {
          kind,
          ...(tenderId !== undefined && tenderId !== kind && { tenderId }),
          amount,
          ...(reference !== undefined && { reference }),
        },
  );
}

/** Which tender it is, among all of the shop. */
export function tenderIdOf({
  kind,
  tenderId = kind,
}: Pick<TenderInput, "kind" | "tenderId">): string {
  return tenderId;
}

/** What goes back over the counter at once. */
export function changeOf(tenders: readonly Tender[]): number {
  return tenders.reduce((sum, { amount, tendered = amount }) => sum + tendered - amount, 0);
}
