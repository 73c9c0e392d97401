import type { Sale } from "../../../../../server/contract/pos/sales.ts";
import type { ConfirmedAttempt } from "./attempt-store.ts";
import { totalOf } from "./line-item.ts";

/** The sums that the gateway will answer: the rest is cash, and only cash gives change. */
export function sumsOfAttempt({
  lines,
  input,
}: Pick<ConfirmedAttempt, "lines" | "input">): Pick<Sale, "total" | "tenders" | "change"> {
  const total = totalOf(lines);
  const recorded = input.tenders.reduce((sum, { amount = 0 }) => sum + amount, 0);
  const tendered = input.tenders.reduce((sum, tender) => sum + (tender.tendered ?? 0), 0);
  return {
    total,
    tenders: input.tenders.map(({ kind, amount = total - recorded, ...rest }) => ({
      kind,
      amount,
      ...rest,
    })),
    change: Math.max(0, tendered + recorded - total),
  };
}
