import type { Sale } from "../../../../../server/contract/pos/sales.ts";
import { foldLetters } from "../../../../lib/fold-letters.ts";
import { unitApart } from "../../../../lib/unit-apart.ts";
import type { SoldThing } from "../interface/sold-thing.ts";
import type { KnownNumber } from "./favourites/known-numbers.ts";

/** One line below the field: a customer who is known by name, something that is sold, or a sale. */
export type FieldChoice =
  | { readonly id: string; readonly known: KnownNumber }
  | { readonly id: string; readonly thing: SoldThing }
  | { readonly id: string; readonly sale: Sale };

/** So many choices have a digit. */
const MOST_CHOICES = 9;
/** Customers leave room for what is sold. */
const MOST_KNOWN = 4;

/** Customers first: what is sold has its own names, and a customer was given this one by the shop. */
export function fieldChoices(
  known: readonly KnownNumber[],
  things: readonly SoldThing[],
  sale?: Sale,
): readonly FieldChoice[] {
  const customers = things.length === 0 ? known : known.slice(0, MOST_KNOWN);
  return [
    ...(sale ? [{ id: sale.saleId, sale }] : []),
    ...customers.map((one) => ({ id: one.number, known: one })),
    ...things.map((thing) => ({ id: thing.id, thing })),
  ].slice(0, MOST_CHOICES);
}

/**
 * Whether a digit after these words picks a choice: right after a letter, unless a word of what is sold
 * goes on so ("o" and 2). After a space it is text, an amount or an account.
 */
export function picksAfter(
  query: string,
  digit: string,
  isBegun: (word: string) => boolean,
): boolean {
  const word = /\p{L}+$/u.exec(query)?.[0];
  return word !== undefined && digit !== "0" && !isBegun(word + digit);
}

/** Whether each word that was typed begins one that it is called: it is meant, and no chance match. */
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
 * What a digit that stands alone in the field names: no number has one digit, so Enter takes it. With a
 * second digit it is the beginning of a number, however slowly that is typed.
 */
export function usualOfDigit(
  usual: readonly SoldThing[] | undefined,
  digits: string,
): SoldThing | undefined {
  return /^[1-9]$/.test(digits) ? usual?.[Number(digits) - 1] : undefined;
}
