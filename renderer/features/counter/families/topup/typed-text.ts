import { latinDigits } from "../../../../lib/direction.ts";
import { LONGEST_PHONE, typedNumber } from "../../../../lib/phone-format.ts";
import type { TypedText } from "./favourites/known-numbers.ts";
import type { TopupEvent } from "./topup-state.ts";

/** As long as the longest name. */
const LONGEST_QUERY = 40;
/** As long as the longest barcode. */
const LONGEST_CODE = 80;
/** A pasted text with so many digits is a number, whatever was around it. */
const SURELY_A_NUMBER = 6;
/** What begins so is in the middle of its words, or of a barcode. */
const CODE_SIGNS = /^[\d\s()\].+-]+$/;

/**
 * What was typed into the one field: a number, or words that name a customer or something that is sold.
 * Words go on as words, so that digits may follow them: an amount, an account. A barcode whose digits
 * can be no number is kept as it is.
 */
export function readTyped(text: string, before: TypedText): TopupEvent {
  const digits = typedNumber(text);
  const code = readCode(text, before);
  if (code !== undefined) {
    return { type: "name-typed", query: code.slice(0, LONGEST_CODE) };
  }
  const isGoingOn = before.query !== "" && text.startsWith(before.query.slice(0, -1));
  const isWords = hasLetters(text) && before.digits === "";
  const isScan = /^\]?C1\d/i.test(text);
  return isWords && (isGoingOn || digits.length < SURELY_A_NUMBER || isScan)
    ? {
        type: "name-typed",
        query: text.trimStart().slice(0, isScan ? LONGEST_CODE : LONGEST_QUERY),
      }
    : { type: "number-typed", digits };
}

/**
 * Digits that are more than a number has, as an eSIM's card and a bill have them, or that begin as no
 * number does, as the barcode of a receipt.
 */
function readCode(text: string, before: TypedText): string | undefined {
  const latin = latinDigits(text).trim();
  const digits = latin.replaceAll(/\D/g, "");
  if (!CODE_SIGNS.test(latin)) {
    return /^89\d{14,}F$/i.test(latin.replaceAll(/\s/g, "")) ? latin : undefined;
  }
  // "00" was read as "+" while no more was typed, and no country's code begins with 0.
  const isOfZeros = latin === "+0" && before.digits === "+";
  const isLong = digits.length > LONGEST_PHONE + (latin.startsWith("00") ? 2 : 0);
  const hasPlus = latin.startsWith("+");
  if (isOfZeros || (isLong && hasPlus && before.digits.startsWith("+"))) {
    return `00${digits}`;
  }
  if (hasPlus || !(isLong || digits.startsWith("000"))) {
    return undefined;
  }
  return latin.startsWith("(") ? latin : digits;
}

/** What was typed is the code of something, and no name: digits alone. */
export function isCode(query: string): boolean {
  return query !== "" && CODE_SIGNS.test(query.replace(/^\]?C1/i, ""));
}

/** A name holds some, a number none. */
export function hasLetters(text: string): boolean {
  return /\p{L}/u.test(text);
}
