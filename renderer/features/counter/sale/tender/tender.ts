import type { SaleInput } from "../../../../../server/contract/pos/sales.ts";
import { roundCash } from "../../../../../server/contract/pos/tenders.ts";
import { parseAmount } from "../../../../lib/money.ts";
import { type Cash, countCash } from "./counted-cash.ts";

export interface OtherKind {
  readonly kind: "CARD" | "OTHER";
  /** Undefined for the first payment method of its kind. */
  readonly tenderId?: string;
  readonly name?: string;
}

/** Recorded payment other than cash. It gives no change. */
export interface OtherTender extends OtherKind {
  /** Minor units of the shop's currency. */
  readonly amount: number;
  readonly reference?: string;
}

/** Cash pays the rest after the recorded payments. */
export interface TenderState {
  readonly text: string;
  readonly others: readonly OtherTender[];
}

export const NO_TENDER: TenderState = { text: "", others: [] };

const MAX_OTHER_TENDERS = 4;

/**
 * Removes the recorded payments after the total changed. Typed cash stays, because the clerk holds
 * it.
 */
export function withoutOthers(state: TenderState): TenderState {
  return state.others.length === 0 ? state : { ...NO_TENDER, text: state.text };
}

interface Owed {
  readonly total: number;
  readonly currency: string;
  readonly divisor: number;
  readonly cashStep: number;
}

export interface Tendered extends Cash {
  /** Amount due in cash after all recorded payments, rounded. */
  readonly cashDue: number;
  /** Rounding within `cashDue`, as the receipt shows it. */
  readonly cashRounding: number;
  readonly takesCash: boolean;
  /** Tenders of the request. They cover the total if `isEnough`. */
  readonly tenders: SaleInput["tenders"];
}

/** Returns whether cash is due: recorded payments do not cover the total yet. */
export function takesCash(others: TenderState["others"], total: number): boolean {
  return total === 0 || sumOf(others) < total;
}

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
    takesCash: takesCash(others, total),
    isEnough: cash.isEnough && left >= 0,
    tenders: [
      ...(tendered > 0 || left > 0 || others.length === 0
        ? [{ kind: "CASH" as const, tendered }]
        : []),
      ...others.map(toInput),
    ],
  };
}

/**
 * Records the typed amount, or the whole rest if no amount is typed. Does nothing if the rest is
 * zero, or if the amount exceeds the rest.
 */
export function addTender(
  state: TenderState,
  which: OtherKind,
  { total, divisor }: Pick<Owed, "total" | "divisor">,
): TenderState {
  const left = total - sumOf(state.others);
  const amount = state.text === "" ? left : parseAmount(state.text, divisor);
  const fits = amount !== undefined && amount > 0 && amount <= left;
  return fits && state.others.length < MAX_OTHER_TENDERS
    ? { text: "", others: [...state.others, { ...which, amount }] }
    : state;
}

function toInput(other: OtherTender): SaleInput["tenders"][number] {
  const { name: _, reference = "", ...input } = other;
  const trimmed = reference.trim();
  return { ...input, ...(trimmed !== "" && { reference: trimmed }) };
}

function sumOf(others: readonly OtherTender[]): number {
  return others.reduce((sum, { amount }) => sum + amount, 0);
}
