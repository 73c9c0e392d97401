import { roundCash } from "../../contract/pos/cash-rounding.ts";
import type { CustomerRefundTender } from "../../contract/pos/customer-refunds.ts";
import type { Tender, TenderKind } from "../../contract/pos/tenders.ts";

/** How a sale was paid, and what of that was refunded to the customer. */
export interface PaidAndGone {
  readonly paid: readonly Pick<Tender, "kind" | "amount">[];
  readonly gone: readonly CustomerRefundTender[];
}

/** Cash first, as far as cash was taken: it needs no card reader. */
const ORDER: readonly TenderKind[] = ["CASH", "CARD", "OTHER"];

/**
 * Splits an amount of the sale's money over the kinds of tender it came by
 * (rules#customer-refund-as-it-came). Any amount up to what was paid and not refunded can be split:
 * what was refunded by a kind beyond what came by it does not reduce another kind.
 */
export function splitAsItCame(amount: number, sale: PaidAndGone): CustomerRefundTender[] {
  let left = amount;
  return ORDER.flatMap((kind) => {
    const part = Math.min(left, roomOf(kind, sale));
    left -= part;
    return part > 0 ? [{ kind, amount: part }] : [];
  });
}

/** A sale's cash as far as it was rounded; minor units. */
export interface RoundedSale {
  readonly cashRounding: number;
  readonly cashStep: number;
  readonly paid: readonly Pick<Tender, "kind" | "amount">[];
}

/**
 * What a customer refund is rounded by: as much of the sale's money as goes back, cash first, comes to
 * what cash can pay each time, and all of it to the very amount that was taken (rules#cash-rounding).
 * @param before what was paid for the lines that were refunded before
 * @param lines what was paid for those of this refund
 */
export function roundingBack(sale: RoundedSale, before: number, lines: number): number {
  const cash = sumOf("CASH", sale.paid) - sale.cashRounding;
  const roundingUpTo = (lines: number) => {
    const part = Math.min(lines, cash);
    return roundCash(part, sale.cashStep) - part;
  };
  return roundingUpTo(before + lines) - roundingUpTo(before);
}

/** The part that goes back by a kind beyond what the sale took by that kind. */
export function beyondWhatCame(parts: readonly CustomerRefundTender[], sale: PaidAndGone): number {
  return parts.reduce((sum, { kind, amount }) => sum + Math.max(0, amount - roomOf(kind, sale)), 0);
}

/** What came by a kind and was not refunded by it. */
function roomOf(kind: TenderKind, { paid, gone }: PaidAndGone): number {
  return Math.max(0, sumOf(kind, paid) - sumOf(kind, gone));
}

function sumOf(kind: TenderKind, parts: readonly CustomerRefundTender[]): number {
  return parts.reduce((sum, part) => sum + (part.kind === kind ? part.amount : 0), 0);
}
