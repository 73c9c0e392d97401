import { Decimal } from "decimal.js";
import { TableError } from "../../lib/csv.ts";

/** Readers of single cells; each names the file and line of a fault. */

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

/** Part of a plan: a quantity, or `unlimited`. */
export interface Allowance {
  readonly amount: number;
  readonly unlimited: boolean;
}

export function allowance(at: string, column: string, text: string): Allowance {
  if (text === "unlimited") return { amount: 0, unlimited: true };
  return { amount: decimal(at, column, text).toNumber(), unlimited: false };
}

export function wholeAllowance(at: string, column: string, text: string): Allowance {
  if (text === "unlimited") return { amount: 0, unlimited: true };
  return { amount: wholeNumber(at, column, text), unlimited: false };
}
