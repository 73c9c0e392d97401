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
    (sum, { outcome, refunded }) => sum + worth[outcome] + Number(refunded),
    sale.receiptsPrinted,
  );
}

/**
 * The newer of two states of a sale. An answer can arrive after the event that overtook it, and a final
 * outcome is never taken back.
 */
export function newerSale(known: Sale | undefined, incoming: Sale): Sale {
  return known && progress(known) > progress(incoming) ? known : incoming;
}

/**
 * The outcome of a sale (rules#sale-outcomes): where its lines ended differently, that a part of it was
 * delivered.
 */
export type SaleOutcome = Outcome | "PARTLY_DELIVERED";

const OPEN_FIRST: readonly Outcome[] = ["STILL_SENDING", "SENDING", "DELIVERED"];

/**
 * The one outcome a sale is known by. It is not delivered when nothing of it is or will be: a clerk who
 * reads that hands all the money back.
 */
export function saleOutcomeAt(sale: Sale, now: number): SaleOutcome {
  const outcomes = new Set(sale.lines.map((line) => outcomeAt(line, now)));
  if (outcomes.has("NOT_DELIVERED")) {
    if (outcomes.size === 1) {
      return "NOT_DELIVERED";
    }
    if (outcomes.has("DELIVERED")) {
      return "PARTLY_DELIVERED";
    }
  }
  return OPEN_FIRST.find((outcome) => outcomes.has(outcome)) ?? "DELIVERED";
}

/** The line that names a sale where there is room for one: the first that its outcome is about. */
export function saleLineAt(sale: Sale, now: number): SaleLine | undefined {
  const saleOutcome = saleOutcomeAt(sale, now);
  const outcome = saleOutcome === "PARTLY_DELIVERED" ? "DELIVERED" : saleOutcome;
  return sale.lines.find((line) => outcomeAt(line, now) === outcome);
}

/** Lines in reading order: what the customer has or will have before what was not delivered. */
export function deliveredFirst<Line extends Pick<SaleLine, "outcome">>(
  lines: readonly Line[],
): readonly Line[] {
  const failed = lines.filter(({ outcome }) => outcome === "NOT_DELIVERED");
  return [...lines.filter(({ outcome }) => outcome !== "NOT_DELIVERED"), ...failed];
}
