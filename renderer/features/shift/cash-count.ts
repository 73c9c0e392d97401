import type { CashCount } from "../../../server/contract/pos/shifts.ts";
import { parseAmount } from "../../lib/money.ts";

/** Cash as it is being counted: a typed total, or so many of each note and coin. */
export interface CashDraft {
  readonly byNotes: boolean;
  readonly total: string;
  /** Typed quantities by denomination, in minor units. */
  readonly quantities: Readonly<Record<number, string>>;
}

export const NO_CASH: CashDraft = { byNotes: false, total: "", quantities: {} };

/** What was counted; `amount` is absent while nothing was. */
export interface CountedCash {
  readonly amount: number | undefined;
  readonly count: CashCount | undefined;
}

/** What a draft comes to, in minor units. */
export function readCash({ byNotes, total, quantities }: CashDraft, divisor: number): CountedCash {
  if (!byNotes) {
    return { amount: parseAmount(total, divisor), count: undefined };
  }
  // An empty drawer is counted, too: with a 0, not with an Enter in an empty field.
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
