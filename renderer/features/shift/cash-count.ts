import type { CashCount } from "../../../server/contract/pos/shifts.ts";
import { parseAmount } from "../../lib/money.ts";

export interface CashDraft {
  readonly byNotes: boolean;
  readonly total: string;
  /** Quantities by denomination, in minor units. */
  readonly quantities: Readonly<Record<number, string>>;
}

export const NO_CASH: CashDraft = { byNotes: false, total: "", quantities: {} };

/** `amount` is undefined before anything is entered. */
export interface CountedCash {
  readonly amount: number | undefined;
  readonly count: CashCount | undefined;
}

/** Returns the counted cash in minor units. */
export function readCash({ byNotes, total, quantities }: CashDraft, divisor: number): CountedCash {
  if (!byNotes) {
    return { amount: parseAmount(total, divisor), count: undefined };
  }
  // For an empty drawer, a 0 must be entered.
  if (Object.values(quantities).every((text) => text === "")) {
    return { amount: undefined, count: undefined };
  }
  const count = Object.entries(quantities)
    .map(([denomination, text]) => ({
      denomination: Number(denomination),
      quantity: Number(text || "0"),
    }))
    .filter(({ quantity }) => quantity > 0);
  const amount = count.reduce((sum, each) => sum + each.denomination * each.quantity, 0);
  return { amount, count };
}
