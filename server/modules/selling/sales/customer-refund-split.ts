import type { CustomerRefundTender } from "../../../contract/pos/sales.ts";
import {
  roundCash,
  type Tender,
  type TenderKind,
  tenderIdOf,
} from "../../../contract/pos/tenders.ts";

/** How a sale was paid, and what of that was refunded to the customer. */
export interface PaidAndGone {
  readonly paid: readonly Pick<Tender, "kind" | "tenderId" | "name" | "amount">[];
  readonly gone: readonly CustomerRefundTender[];
}

/** Cash first, as far as cash was taken: it needs no card reader. */
const ORDER: readonly TenderKind[] = ["CASH", "CARD", "OTHER"];

/**
 * Splits an amount of the sale's money over the tenders it came by
 * (rules#customer-refund-as-it-came). Any amount up to what was paid and not refunded can be split:
 * what was refunded by a tender beyond what came by it does not reduce another one.
 */
export function splitAsItCame(amount: number, sale: PaidAndGone): CustomerRefundTender[] {
  let left = amount;
  return tendersOf(sale).flatMap((tender) => {
    const part = Math.min(left, roomOf(tender, sale));
    left -= part;
    return part > 0 ? [{ ...tender, amount: part }] : [];
  });
}

/**
 * All of it by one kind: by the tenders of that kind that it came by, as far as it did, and what is more
 * by the first of them.
 * @param first what the shop calls that one now
 */
export function splitByKind(
  amount: number,
  sale: PaidAndGone,
  first: WhichTender,
): CustomerRefundTender[] {
  const { kind } = first;
  const ofKind = {
    paid: sale.paid.filter((tender) => tender.kind === kind),
    gone: sale.gone.filter((tender) => tender.kind === kind),
  };
  const parts = splitAsItCame(amount, ofKind);
  const more = amount - parts.reduce((sum, part) => sum + part.amount, 0);
  if (more === 0) return parts;
  const isOne = parts.some((part) => isSameTender(part, first));
  return isOne
    ? parts.map((part) =>
        isSameTender(part, first) ? { ...part, amount: part.amount + more } : part,
      )
    : [...parts, { ...first, amount: more }];
}

type WhichTender = Omit<CustomerRefundTender, "amount">;

/** Each tender of the sale once, as it was called then. */
function tendersOf({ paid }: PaidAndGone): WhichTender[] {
  const each = paid.map(({ kind, tenderId, name }) => ({
    kind,
    ...(tenderId !== undefined && { tenderId }),
    ...(name !== undefined && { name }),
  }));
  const once = each.filter(
    (tender, at) => each.findIndex((one) => isSameTender(one, tender)) === at,
  );
  return ORDER.flatMap((kind) => once.filter((tender) => tender.kind === kind));
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
  const cash = sumOf({ kind: "CASH" }, sale.paid) - sale.cashRounding;
  const roundingUpTo = (lines: number) => {
    const part = Math.min(lines, cash);
    return roundCash(part, sale.cashStep) - part;
  };
  return roundingUpTo(before + lines) - roundingUpTo(before);
}

/** The part that goes back by a tender beyond what the sale took by that tender. */
export function beyondWhatCame(parts: readonly CustomerRefundTender[], sale: PaidAndGone): number {
  return parts.reduce((sum, part) => sum + Math.max(0, part.amount - roomOf(part, sale)), 0);
}

/** What came by a tender and was not refunded by it. */
function roomOf(tender: WhichTender, { paid, gone }: PaidAndGone): number {
  return Math.max(0, sumOf(tender, paid) - sumOf(tender, gone));
}

function isSameTender(one: WhichTender, other: WhichTender): boolean {
  return one.kind === other.kind && tenderIdOf(one) === tenderIdOf(other);
}

function sumOf(
  tender: WhichTender,
  parts: readonly (WhichTender & Pick<CustomerRefundTender, "amount">)[],
): number {
  return parts.reduce((sum, part) => sum + (isSameTender(part, tender) ? part.amount : 0), 0);
}
