import type { CustomerRefundTender } from "../../../contract/pos/sales.ts";
import {
  roundCash,
  type Tender,
  type TenderKind,
  tenderIdOf,
} from "../../../contract/pos/tenders.ts";

export interface PaidAndGone {
  readonly paid: readonly Pick<Tender, "kind" | "tenderId" | "name" | "amount">[];
  readonly gone: readonly CustomerRefundTender[];
}

/** Order of the tenders. Cash comes first, because cash needs no card reader. */
const ORDER: readonly TenderKind[] = ["CASH", "CARD", "OTHER"];

/**
 * Splits an amount, at most the unrefunded payment, between the payment's tenders. If an earlier
 * refund exceeded its tender's payment, the excess does not reduce the other tenders
 * (rules#customer-refund-as-it-came).
 */
export function splitAsItCame(amount: number, sale: PaidAndGone): CustomerRefundTender[] {
  let left = amount;
  return listTenders(sale).flatMap((tender) => {
    const part = Math.min(left, getRefundable(tender, sale));
    left -= part;
    return part > 0 ? [{ ...tender, amount: part }] : [];
  });
}

/**
 * Uses the payment's tenders of one kind, up to their amounts. The rest goes to the tender `first`.
 * @param first the tender, with its present name
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

function listTenders({ paid }: PaidAndGone): WhichTender[] {
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

export interface RoundedSale {
  readonly cashRounding: number;
  readonly cashStep: number;
  readonly paid: readonly Pick<Tender, "kind" | "amount">[];
}

/**
 * Returns the rounding that makes the refunded total of the cash part payable in cash
 * (rules#cash-rounding).
 * @param before paid price of lines that were refunded earlier
 * @param lines paid price of the lines of this refund
 */
export function roundingBack(sale: RoundedSale, before: number, lines: number): number {
  const cash = sumByTender({ kind: "CASH" }, sale.paid) - sale.cashRounding;
  const roundingUpTo = (lines: number) => {
    const part = Math.min(lines, cash);
    return roundCash(part, sale.cashStep) - part;
  };
  return roundingUpTo(before + lines) - roundingUpTo(before);
}

export function beyondWhatCame(parts: readonly CustomerRefundTender[], sale: PaidAndGone): number {
  return parts.reduce((sum, part) => sum + Math.max(0, part.amount - getRefundable(part, sale)), 0);
}

function getRefundable(tender: WhichTender, { paid, gone }: PaidAndGone): number {
  return Math.max(0, sumByTender(tender, paid) - sumByTender(tender, gone));
}

function isSameTender(one: WhichTender, other: WhichTender): boolean {
  return one.kind === other.kind && tenderIdOf(one) === tenderIdOf(other);
}

function sumByTender(
  tender: WhichTender,
  parts: readonly (WhichTender & Pick<CustomerRefundTender, "amount">)[],
): number {
  return parts.reduce((sum, part) => sum + (isSameTender(part, tender) ? part.amount : 0), 0);
}
