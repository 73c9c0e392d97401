import type { Family } from "../../../contract/pos/families.ts";
import type { AccountRole } from "../../../contract/pos/shop-reports.ts";
import type { ShiftTax } from "../../../contract/pos/taxes.ts";
import type { TenderKind } from "../../../contract/pos/tenders.ts";
import { addedToSafe, type CashFlow } from "../../selling/shifts/index.ts";

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
  /** Above zero where more money of failed lines became due than was handed back. */
  refundsDue: number;
  /** By kind and rate; together the tax of the families. */
  taxes: readonly ShiftTax[];
  cash: CashFlow;
}

/** One posting: debit above zero, credit below. */
export interface Posting {
  role: AccountRole | "SALES";
  /** Of sales and their cost. */
  family?: Family;
  /** Of what was taken. */
  tender?: TenderOfDay;
  tax?: Pick<ShiftTax, "kind" | "percent">;
  amount: number;
}

/**
 * Returns the postings of a day, which add up to zero: takings and debts of customers against sales without tax,
 * tax, cash rounding and refunds due; the cost of the goods against the wallet; and cash from the drawers to the
 * bank (rules#figure-journal). Postings of zero are left out.
 * @throws Error if they do not add up: the figures of the day contradict each other
 */
export function journalOf(day: DayOfBooks): Posting[] {
  const { taken, families, cashRounding, owed, refundsDue, taxes, cash } = day;
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
    ...taxes.map(
      ({ kind, percent, sold, refunded }): Posting => ({
        role: "TAX",
        tax: { kind, percent },
        amount: refunded - sold,
      }),
    ),
    { role: "CASH_ROUNDING", amount: -cashRounding },
    { role: "REFUNDS_DUE", amount: -refundsDue },
    { role: "COST", amount: cost },
    { role: "WALLET", amount: -cost },
    ...cashPostings(cash),
  ];
  const sum = postings.reduce((total, { amount }) => total + amount, 0);
  if (sum !== 0) throw new Error(`the figures of ${day.day} do not add up: ${sum} is left`);
  return postings.filter(({ amount }) => amount !== 0);
}

/** Cash beside sales: into and out of drawers, to the safe and the bank, and counted differences. */
function cashPostings(cash: CashFlow): Posting[] {
  const { payIns, payOuts, drops, floats, closings, differences, deposits } = cash;
  return [
    { role: "CASH", amount: payIns - payOuts - drops + floats - closings + differences },
    { role: "SAFE", amount: addedToSafe(cash) },
    { role: "BANK", amount: deposits },
    { role: "PAY_IN", amount: -payIns },
    { role: "PAY_OUT", amount: payOuts },
    { role: "DRAWER_DIFFERENCE", amount: -differences },
  ];
}
