import type { AccountRole } from "../../contract/pos/accounting.ts";
import type { Family } from "../../contract/pos/families.ts";

/** A day's figures as the books need them; minor units of the shop's currency. */
export interface DayOfBooks {
  /** Such as 2026-01-31. */
  day: string;
  families: readonly { family: Family; sold: number; tax: number; cost: number }[];
  /** Net of what was handed back. */
  taken: { cash: number; card: number; other: number };
  cashRounding: number;
  owed: number;
}

/** One posting: debit above zero, credit below. */
export interface Posting {
  role: AccountRole | "SALES";
  /** Of sales and their cost. */
  family?: Family;
  amount: number;
}

/**
 * A day as postings that add up to zero: what was taken and is owed, against sales without tax, tax and
 * cash rounding; and what the goods cost, against the wallet (rules#figure-journal). What is zero is
 * left out.
 * @throws where they do not add up: the figures of the day contradict each other
 */
export function journalOf(day: DayOfBooks): Posting[] {
  const { taken, families, cashRounding, owed } = day;
  const tax = families.reduce((sum, part) => sum + part.tax, 0);
  const cost = families.reduce((sum, part) => sum + part.cost, 0);
  const postings: Posting[] = [
    { role: "CASH", amount: taken.cash },
    { role: "CARD", amount: taken.card },
    { role: "OTHER", amount: taken.other },
    { role: "OWED", amount: owed },
    ...families.map(
      (part): Posting => ({
        role: "SALES",
        family: part.family,
        amount: part.tax - part.sold,
      }),
    ),
    { role: "TAX", amount: -tax },
    { role: "CASH_ROUNDING", amount: -cashRounding },
    { role: "COST", amount: cost },
    { role: "WALLET", amount: -cost },
  ];
  const sum = postings.reduce((total, { amount }) => total + amount, 0);
  if (sum !== 0) throw new Error(`the figures of ${day.day} do not add up: ${sum} is left`);
  return postings.filter(({ amount }) => amount !== 0);
}
