import { typedNumber } from "../../../../lib/phone-format.ts";
import type { TypedText } from "./favourites/known-numbers.ts";
import type { TopupEvent } from "./topup-state.ts";

/** As long as the longest name. */
const LONGEST_QUERY = 40;
/** A text with so many digits is a number, whatever was pasted around it. */
const SURELY_A_NUMBER = 6;

/** What was typed where numbers and names are: letters search a name, unless a number was begun. */
export function readTyped(text: string, before: TypedText): TopupEvent {
  const digits = typedNumber(text);
  const isName = hasLetters(text) && before.digits === "" && digits.length < SURELY_A_NUMBER;
  return isName
    ? { type: "name-typed", query: text.trimStart().slice(0, LONGEST_QUERY) }
    : { type: "number-typed", digits };
}

/** A name holds some, a number none. */
export function hasLetters(text: string): boolean {
  return /\p{L}/u.test(text);
}
