import { typedNumber } from "../../../../lib/phone-format.ts";
import type { TypedText } from "./favourites/known-numbers.ts";
import type { TopupEvent } from "./topup-state.ts";

/** As long as the longest name. */
const LONGEST_QUERY = 40;
/** A pasted text with so many digits is a number, whatever was around it. */
const SURELY_A_NUMBER = 6;
/** More digits than a number has, as the card of an eSIM has them. */
const LONG_CODE = /^89\d{14,}F?$/i;

/**
 * What was typed into the one field: a number, or words that name a customer or something that is sold.
 * Words go on as words, so that digits may follow them: an amount, an account.
 */
export function readTyped(text: string, before: TypedText): TopupEvent {
  const digits = typedNumber(text);
  const isGoingOn = before.query !== "" && text.startsWith(before.query.slice(0, -1));
  const isWords = hasLetters(text) && before.digits === "";
  const isCode = LONG_CODE.test(text.replaceAll(/\s/g, ""));
  return isCode || (isWords && (isGoingOn || digits.length < SURELY_A_NUMBER))
    ? { type: "name-typed", query: text.trimStart().slice(0, LONGEST_QUERY) }
    : { type: "number-typed", digits };
}

/** A name holds some, a number none. */
export function hasLetters(text: string): boolean {
  return /\p{L}/u.test(text);
}
