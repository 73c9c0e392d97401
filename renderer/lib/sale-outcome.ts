import type { Outcome } from "../../server/contract/pos/outcome.ts";
import type { SaleLine } from "../../server/contract/pos/sale-lines.ts";
import type { Sale } from "../../server/contract/pos/sales.ts";

/** Returns a line's outcome: SENDING becomes STILL_SENDING after an unusual time. */
export function outcomeAt(line: SaleLine, now: number): Outcome {
  const isSlow = now >= Date.parse(line.slowAfter);
  return line.outcome === "SENDING" && isSlow ? "STILL_SENDING" : line.outcome;
}

/** Ranks the progress of a sale by its final lines, then by its slow lines, then by its refunds. */
function progress(sale: Sale): number {
  const worth = { SENDING: 0, STILL_SENDING: 1, DELIVERED: 2, NOT_DELIVERED: 2 } as const;
  return sale.lines.reduce(
    (sum, { outcome, refunded }) => sum + worth[outcome] + Number(refunded),
    sale.receiptsPrinted,
  );
}

/**
 * Returns the newer of two states of a sale. An event can overtake a response, and a final outcome
 * never changes.
 */
export function newerSale(known: Sale | undefined, incoming: Sale): Sale {
  return known && progress(known) > progress(incoming) ? known : incoming;
}

/** Outcome of a sale (rules#sale-outcomes); PARTLY_DELIVERED if its lines ended differently. */
export type SaleOutcome = Outcome | "PARTLY_DELIVERED";

const OPEN_FIRST: readonly Outcome[] = ["STILL_SENDING", "SENDING", "DELIVERED"];

/**
 * Returns the single outcome of a sale. NOT_DELIVERED requires that no line is or will be
 * delivered, because a clerk then refunds everything.
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

/**
 * Returns the line that represents a sale in little space: the first line with the sale's outcome.
 */
export function saleLineAt(sale: Sale, now: number): SaleLine | undefined {
  const saleOutcome = saleOutcomeAt(sale, now);
  const outcome = saleOutcome === "PARTLY_DELIVERED" ? "DELIVERED" : saleOutcome;
  return sale.lines.find((line) => outcomeAt(line, now) === outcome);
}

export function deliveredFirst<Line extends Pick<SaleLine, "outcome">>(
  lines: readonly Line[],
): readonly Line[] {
  const failed = lines.filter(({ outcome }) => outcome === "NOT_DELIVERED");
  return [...lines.filter(({ outcome }) => outcome !== "NOT_DELIVERED"), ...failed];
}
