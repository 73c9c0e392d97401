import type { Outcome } from "../../server/contract/pos/outcome.ts";
import type { SaleLine } from "../../server/contract/pos/sale-lines.ts";
import type { Sale } from "../../server/contract/pos/sales.ts";

/** SENDING counts as still being sent once it takes longer than it should. */
export function outcomeAt(line: SaleLine, now: number): Outcome {
  const isSlow = now >= Date.parse(line.slowAfter);
  return line.outcome === "SENDING" && isSlow ? "STILL_SENDING" : line.outcome;
}

/** How far a sale has come: final lines count most, then those known to be slow; money given back. */
function progress(sale: Sale): number {
  const worth = { SENDING: 0, STILL_SENDING: 1, DELIVERED: 2, NOT_DELIVERED: 2 } as const;
  return sale.lines.reduce(
    (sum, { outcome, givenBack }) => sum + worth[outcome] + Number(givenBack),
    sale.receiptsPrinted,
  );
}

/**
 * The newer of two states of a sale. An answer can arrive after the event that overtook it, and
 * what was told as final is never taken back.
 */
export function newerSale(known: Sale | undefined, incoming: Sale): Sale {
  return known && progress(known) > progress(incoming) ? known : incoming;
}

const WORST_FIRST: readonly Outcome[] = ["NOT_DELIVERED", "STILL_SENDING", "SENDING", "DELIVERED"];

/** The line a sale's outcome is about: of those with it, the first. */
export function saleLineAt(sale: Sale, now: number): SaleLine | undefined {
  const outcome = saleOutcomeAt(sale, now);
  return sale.lines.find((line) => outcomeAt(line, now) === outcome);
}

/** The one outcome a sale is known by: the one that needs the clerk most. */
export function saleOutcomeAt(sale: Sale, now: number): Outcome {
  const outcomes = sale.lines.map((line) => outcomeAt(line, now));
  return WORST_FIRST.find((outcome) => outcomes.includes(outcome)) ?? "DELIVERED";
}
