import { latinDigits } from "../../../../lib/direction.ts";
import { LONGEST_PHONE, typedNumber } from "../../../../lib/phone-format.ts";
import type { TypedText } from "./favourites/known-numbers.ts";
import type { TopupEvent } from "./topup-state.ts";

/** Maximum length of search words, enough for the longest name. */
const MAX_QUERY_LENGTH = 40;
const MAX_CODE_LENGTH = 80;
/** Minimum number of digits that makes a pasted text a number, regardless of other characters. */
const SURELY_A_NUMBER = 6;
const CODE_SIGNS = /^[\d\s()\].+-]+$/;

/**
 * Interprets the text of the number field as a number, or as words that name a customer or a
 * product. Digits may follow the words (an amount, an account). A barcode that cannot be a number
 * is kept unchanged.
 */
export function readTyped(text: string, before: TypedText): TopupEvent {
  const digits = typedNumber(text);
  const code = readCode(text, before);
  if (code !== undefined) {
    return { type: "name-typed", query: code.slice(0, MAX_CODE_LENGTH) };
  }
  const isGoingOn = before.query !== "" && text.startsWith(before.query.slice(0, -1));
  const isWords = hasLetters(text) && before.digits === "";
  const isScan = /^\]?C1\d/i.test(text);
  return isWords && (isGoingOn || digits.length < SURELY_A_NUMBER || isScan)
    ? {
        type: "name-typed",
        query: text.trimStart().slice(0, isScan ? MAX_CODE_LENGTH : MAX_QUERY_LENGTH),
      }
    : { type: "number-typed", digits };
}

/**
 * Returns digits that cannot be a phone number: too many, as on eSIM cards and bills, or with
 * leading zeros, as on receipts.
 */
function readCode(text: string, before: TypedText): string | undefined {
  const latin = latinDigits(text).trim();
  const digits = latin.replaceAll(/\D/g, "");
  if (!CODE_SIGNS.test(latin)) {
    return /^89\d{14,}F$/i.test(latin.replaceAll(/\s/g, "")) ? latin : undefined;
  }
  // The field replaced "00" by "+". No calling code starts with 0, so this text is a code.
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

export function isCode(query: string): boolean {
  return query !== "" && CODE_SIGNS.test(query.replace(/^\]?C1/i, ""));
}

export function hasLetters(text: string): boolean {
  return /\p{L}/u.test(text);
}
