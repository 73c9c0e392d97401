import type { AccountRole } from "../../contract/pos/accounting.ts";
import type { Family } from "../../contract/pos/families.ts";
import type { TenderKind } from "../../contract/pos/tenders.ts";

/** What was taken by one tender, net of what was handed back by it. */
export interface TenderOfDay {
  kind: TenderKind;
  tenderId: string;
  /** As people call it: the word for its kind where nobody named it. */
  name: string;
  isNamed: boolean;
  amount: number;
}

/** A day's figures as the books need them; minor units of the shop's currency. */
export interface DayOfBooks {
  /** Such as 2026-01-31. */
  day: string;
  families: readonly { family: Family; sold: number; tax: number; cost: number }[];
  taken: readonly TenderOfDay[];
  cashRounding: number;
  owed: number;
}

/** One posting: debit above zero, credit below. */
export interface Posting {
  role: AccountRole | "SALES";
  /** Of sales and their cost. */
  family?: Family;
  /** Of what was taken. */
  tender?: TenderOfDay;
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
    ...taken.map((tender): Posting => ({ role: tender.kind, tender, amount: tender.amount })),
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
