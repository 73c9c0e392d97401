import { Decimal } from "decimal.js";
import { TableError } from "../../lib/csv.ts";

export function code(at: string, column: string, text: string): string {
  if (!/^[A-Z0-9]+(?:_[A-Z0-9]+)*$/.test(text)) {
    throw new TableError(at, `${column} "${text}" is not a code of capitals, digits and _`);
  }
  return text;
}

export function decimal(at: string, column: string, text: string): Decimal {
  if (!/^\d+(?:\.\d+)?$/.test(text)) throw new TableError(at, `${column} "${text}" is no number`);
  return new Decimal(text);
}

export function positive(at: string, column: string, text: string): Decimal {
  const value = decimal(at, column, text);
  if (value.isZero()) throw new TableError(at, `${column} must be more than 0`);
  return value;
}

export function wholeNumber(at: string, column: string, text: string): number {
  const value = decimal(at, column, text);
  if (!value.isInteger()) throw new TableError(at, `${column} "${text}" is not a whole number`);
  return value.toNumber();
}

export function dayOf(at: string, column: string, text: string): Date {
  const day = new Date(`${text}T00:00:00.000Z`);
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text) {
    throw new TableError(at, `${column} "${text}" is not a day like 2026-01-31`);
  }
  return day;
}

/** A quantity, a daily quantity, or `unlimited`. */
export interface Allowance {
  /** Quantity for the whole plan; 0 if unlimited. */
  readonly amount: number;
  readonly unlimited: boolean;
  /** Quantity per day; 0 if the allowance is for the whole plan. */
  readonly perDay: number;
}

/** Reads `2`, `2/day` or `unlimited`. For `2/day`, `amount` is the total of all days. */
export function allowance(at: string, column: string, text: string, days: number): Allowance {
  return allowanceOf(text, days, (part) => decimal(at, column, part));
}

export function wholeAllowance(at: string, column: string, text: string, days: number): Allowance {
  return allowanceOf(text, days, (part) => new Decimal(wholeNumber(at, column, part)));
}

function allowanceOf(text: string, days: number, read: (part: string) => Decimal): Allowance {
  if (text === "unlimited") return { amount: 0, unlimited: true, perDay: 0 };
  const [, everyDay] = /^(.*)\/day$/.exec(text) ?? [];
  if (everyDay === undefined) return { amount: read(text).toNumber(), unlimited: false, perDay: 0 };
  const perDay = read(everyDay);
  return { amount: perDay.times(days).toNumber(), unlimited: false, perDay: perDay.toNumber() };
}
