import type { Outcome, Sale, SaleLine } from "../../server/contract/pos/sales.ts";

/** SENDING counts as still being sent once it takes longer than it should. */
export function outcomeAt(line: SaleLine, now: number): Outcome {
  const isSlow = now >= Date.parse(line.slowAfter);
  return line.outcome === "SENDING" && isSlow ? "STILL_SENDING" : line.outcome;
}

const WORST_FIRST: readonly Outcome[] = ["NOT_DELIVERED", "STILL_SENDING", "SENDING", "DELIVERED"];

/** The one outcome a sale is known by: the one that needs the clerk most. */
export function saleOutcomeAt(sale: Sale, now: number): Outcome {
  const outcomes = sale.lines.map((line) => outcomeAt(line, now));
  return WORST_FIRST.find((outcome) => outcomes.includes(outcome)) ?? "DELIVERED";
}
