import type { SaleInput } from "../../../../../server/contract/pos/sales.ts";
import { parseAmount } from "../../../../lib/money.ts";
import { type Cash, countCash } from "./counted-cash.ts";

/** Money that is not cash: it is recorded, and no change is given on it. */
export interface OtherTender {
  readonly kind: "CARD" | "OTHER";
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
}

export interface Tendered extends Cash {
  /** What is left for cash once the others are taken off. */
  readonly cashDue: number;
  /** What is sent; complete when `isEnough`. */
  readonly tenders: SaleInput["tenders"];
}

/** What was handed over and recorded, compared with what is owed. */
export function countTender(
  { text, others }: TenderState,
  { total, currency, divisor }: Owed,
): Tendered {
  const cashDue = total - sumOf(others);
  const cash = countCash(text, cashDue, currency, divisor);
  const tendered = cash.tendered ?? 0;
  return {
    ...cash,
    cashDue,
    isEnough: cash.isEnough && cashDue >= 0,
    tenders: [
      ...(tendered > 0 || others.length === 0 ? [{ kind: "CASH" as const, tendered }] : []),
      ...others,
    ],
  };
}

/**
 * Records a tender that is not cash: of the amount that was typed, or of all that is left.
 * Nothing is recorded when nothing is left, or more than is owed was typed.
 */
export function addTender(
  state: TenderState,
  kind: OtherTender["kind"],
  { total, divisor }: Pick<Owed, "total" | "divisor">,
): TenderState {
  const left = total - sumOf(state.others);
  const amount = state.text === "" ? left : parseAmount(state.text, divisor);
  const fits = amount !== undefined && amount > 0 && amount <= left;
  return fits && state.others.length < MOST_OTHER_TENDERS
    ? { text: "", others: [...state.others, { kind, amount }] }
    : state;
}

function sumOf(others: readonly OtherTender[]): number {
  return others.reduce((sum, { amount }) => sum + amount, 0);
}
