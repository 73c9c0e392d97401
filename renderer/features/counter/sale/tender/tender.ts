import type { SaleInput } from "../../../../../server/contract/pos/sales.ts";
import { roundCash } from "../../../../../server/contract/pos/tenders.ts";
import { parseAmount } from "../../../../lib/money.ts";
import { type Cash, countCash } from "./counted-cash.ts";

/** Which tender beside cash it is, and what the shop calls it. */
export interface OtherKind {
  readonly kind: "CARD" | "OTHER";
  /** Absent for the first of its kind. */
  readonly tenderId?: string;
  readonly name?: string;
}

/** Money that is not cash: it is recorded, and no change is given on it. */
export interface OtherTender extends OtherKind {
  /** Minor units of the shop's currency. */
  readonly amount: number;
  readonly reference?: string;
}

/** How the customer pays: what is typed is cash, and the rest is cash unless it is recorded. */
export interface TenderState {
  readonly text: string;
  readonly others: readonly OtherTender[];
}

export const NO_TENDER: TenderState = { text: "", others: [] };

/** One cash tender beside these. */
const MOST_OTHER_TENDERS = 4;

interface Owed {
  readonly total: number;
  readonly currency: string;
  readonly divisor: number;
  /** What cash is rounded to in the shop, minor units; 0 not at all. */
  readonly cashStep: number;
}

export interface Tendered extends Cash {
  /** What is left for cash once the others are taken off, rounded as cash is. */
  readonly cashDue: number;
  /** What that is rounded by; the receipt says it, too. */
  readonly cashRounding: number;
  /** There is a part that can be paid in cash. */
  readonly takesCash: boolean;
  /** What is sent; complete when `isEnough`. */
  readonly tenders: SaleInput["tenders"];
}

/** What was handed over and recorded, compared with what is owed. */
export function countTender(
  { text, others }: TenderState,
  { total, currency, divisor, cashStep }: Owed,
): Tendered {
  const left = total - sumOf(others);
  const cashDue = left > 0 ? roundCash(left, cashStep) : left;
  const cash = countCash(text, cashDue, currency, divisor);
  const tendered = cash.tendered ?? 0;
  return {
    ...cash,
    cashDue,
    cashRounding: cashDue - left,
    takesCash: left > 0 || total === 0,
    isEnough: cash.isEnough && left >= 0,
    tenders: [
      ...(tendered > 0 || left > 0 || others.length === 0
        ? [{ kind: "CASH" as const, tendered }]
        : []),
      // The gateway knows what it is called.
      ...others.map(toInput),
    ],
  };
}

/**
 * Records a tender that is not cash: of the amount that was typed, or of all that is left.
 * Nothing is recorded when nothing is left, or more than is owed was typed.
 */
export function addTender(
  state: TenderState,
  which: OtherKind,
  { total, divisor }: Pick<Owed, "total" | "divisor">,
): TenderState {
  const left = total - sumOf(state.others);
  const amount = state.text === "" ? left : parseAmount(state.text, divisor);
  const fits = amount !== undefined && amount > 0 && amount <= left;
  return fits && state.others.length < MOST_OTHER_TENDERS
    ? { text: "", others: [...state.others, { ...which, amount }] }
    : state;
}

function toInput(other: OtherTender): SaleInput["tenders"][number] {
  const { name: _, ...input } = other;
  return input;
}

function sumOf(others: readonly OtherTender[]): number {
  return others.reduce((sum, { amount }) => sum + amount, 0);
}
