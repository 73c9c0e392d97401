import type { Attempt } from "../attempt/attempt-store.ts";
import type { AttemptLine } from "../attempt/line-item.ts";
import type { Checks } from "./sale-state.ts";

/** Validity of a customer's confirmation. The sale must be paid within this time. */
const COUNTS_MS = 10 * 60_000;

export function lineToAsk(
  attempt: Pick<Attempt, "lines">,
  checks: Checks,
  now: number,
): AttemptLine | undefined {
  return attempt.lines.find((line) => {
    const isWanted = line.asksNumber || checks.get(line.transactionId)?.asksNumber;
    return isWanted && line.item.number !== undefined && !isChecked(line, now);
  });
}

function isChecked({ numberCheck }: AttemptLine, now: number): boolean {
  if (numberCheck?.by === "CUSTOMER") {
    return Math.abs(now - numberCheck.at) < COUNTS_MS;
  }
  return numberCheck !== undefined;
}
