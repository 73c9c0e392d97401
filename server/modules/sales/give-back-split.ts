import type { GiveBackTender } from "../../contract/pos/give-backs.ts";
import type { Tender, TenderKind } from "../../contract/pos/tenders.ts";

/** How a sale was paid, and what of that has gone back. */
export interface PaidAndGone {
  readonly paid: readonly Pick<Tender, "kind" | "amount">[];
  readonly gone: readonly GiveBackTender[];
}

/** In cash as far as cash was taken, which needs no card reader. */
const ORDER: readonly TenderKind[] = ["CASH", "CARD", "OTHER"];

/**
 * An amount of the sale's money, by the kinds of tender it came by. Less than was paid and has not
 * gone back always finds its way: what went by a kind beyond what came by it is missing in no other.
 */
export function splitAsItCame(amount: number, sale: PaidAndGone): GiveBackTender[] {
  let left = amount;
  return ORDER.flatMap((kind) => {
    const part = Math.min(left, roomOf(kind, sale));
    left -= part;
    return part > 0 ? [{ kind, amount: part }] : [];
  });
}

/** What of it goes by a kind beyond what the sale took by that kind. */
export function beyondWhatCame(parts: readonly GiveBackTender[], sale: PaidAndGone): number {
  return parts.reduce((sum, { kind, amount }) => sum + Math.max(0, amount - roomOf(kind, sale)), 0);
}

/** What came by a kind and has not gone back by it. */
function roomOf(kind: TenderKind, { paid, gone }: PaidAndGone): number {
  return Math.max(0, sumOf(kind, paid) - sumOf(kind, gone));
}

function sumOf(kind: TenderKind, parts: readonly GiveBackTender[]): number {
  return parts.reduce((sum, part) => sum + (part.kind === kind ? part.amount : 0), 0);
}
