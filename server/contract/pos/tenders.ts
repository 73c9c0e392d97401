import { type Static, Type } from "typebox";
import { Input, MinorAmount } from "../common.ts";

const TENDER_KINDS = ["CASH", "CARD", "OTHER"] as const;
export const TenderKind = Type.Enum(TENDER_KINDS);
export type TenderKind = Static<typeof TenderKind>;

const Amount = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/**
 * How a sale is paid: at most one CASH, with what was handed over as `tendered`; CARD and OTHER with
 * the `amount` they pay and a `reference` of their own, such as a card slip's number. What they leave
 * of the total is paid in cash, from which alone change is given.
 */
export const TenderInput = Input({
  kind: TenderKind,
  tendered: Type.Optional(Amount),
  amount: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  reference: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
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
