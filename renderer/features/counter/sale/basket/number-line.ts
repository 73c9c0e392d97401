import type { Attempt } from "../attempt/attempt-store.ts";
import type { AttemptLine } from "../attempt/line-item.ts";
import type { Checks } from "./sale-state.ts";

/** Time for which a customer's confirmation is valid. */
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
