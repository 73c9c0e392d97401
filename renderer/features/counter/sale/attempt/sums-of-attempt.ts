import type { Sale } from "../../../../../server/contract/pos/sales.ts";
import { changeOf, sharesOf } from "../../../../../server/contract/pos/tenders.ts";
import type { ConfirmedAttempt } from "./attempt-store.ts";
import { totalOf } from "./line-item.ts";

/** The sums that the gateway will answer: the rest is cash, and only cash gives change. */
export function sumsOfAttempt({
  lines,
  input,
}: Pick<ConfirmedAttempt, "lines" | "input">): Pick<
  Sale,
  "total" | "cashRounding" | "tenders" | "change"
> {
  const total = totalOf(lines);
  const { cashRounding = 0 } = input;
  const tenders = sharesOf(total, input.tenders, cashRounding);
  return { total, cashRounding, tenders, change: Math.max(0, changeOf(tenders)) };
}
