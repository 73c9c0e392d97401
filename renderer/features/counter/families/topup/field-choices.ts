import type { Sale } from "../../../../../server/contract/pos/sales.ts";
import { foldLetters, unitApart } from "../../../../lib/search-text.ts";
import type { SoldThing } from "../interface/sold-thing.ts";
import type { KnownNumber } from "./favourites/known-numbers.ts";

export type FieldChoice =
  | { readonly id: string; readonly known: KnownNumber }
  | { readonly id: string; readonly thing: SoldThing }
  | { readonly id: string; readonly sale: Sale };

/** Each choice has a digit. */
const MAX_CHOICES = 9;
/** Maximum number of customers if products also match. */
const MAX_KNOWN = 4;

/** Lists customers before products, because the shop itself named the customers. */
export function fieldChoices(
  known: readonly KnownNumber[],
  things: readonly SoldThing[],
  sale?: Sale,
): readonly FieldChoice[] {
  const customers = things.length === 0 ? known : known.slice(0, MAX_KNOWN);
  return [
    ...(sale ? [{ id: sale.saleId, sale }] : []),
    ...customers.map((one) => ({ id: one.number, known: one })),
    ...things.map((thing) => ({ id: thing.id, thing })),
  ].slice(0, MAX_CHOICES);
}

/**
 * Returns whether a digit after these words picks a choice. A digit directly after a letter does,
 * unless it continues a product name ("O2"). A digit after a space is text: an amount or an
 * account.
 */
export function picksAfter(
  query: string,
  digit: string,
  isBegun: (word: string) => boolean,
): boolean {
  const word = /\p{L}+$/u.exec(query)?.[0];
  return word !== undefined && digit !== "0" && !isBegun(word + digit);
}

/** Returns whether each typed word starts a word of the name. Other matches may be wrong. */
export function isNamed(choice: FieldChoice, query: string): boolean {
  if ("sale" in choice) {
    return false;
  }
  const called = "known" in choice ? (choice.known.name ?? "") : choice.thing.called;
  const words = foldLetters(called).split(/[\s·.,()&'’-]+/);
  const typed = unitApart(foldLetters(query)).split(/\s+/).filter(Boolean);
  return typed.every((part) => words.some((word) => word.startsWith(part)));
}

/**
 * Returns the usual product that a single digit picks. A second digit makes the text a phone
 * number.
 */
export function usualOfDigit(
  usual: readonly SoldThing[] | undefined,
  digits: string,
): SoldThing | undefined {
  return /^[1-9]$/.test(digits) ? usual?.[Number(digits) - 1] : undefined;
}
