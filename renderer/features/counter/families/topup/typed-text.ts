import { latinDigits } from "../../../../lib/direction.ts";
import { LONGEST_PHONE, typedNumber } from "../../../../lib/phone-format.ts";
import type { TypedText } from "./favourites/known-numbers.ts";
import type { TopupEvent } from "./topup-state.ts";

/** Enough for the longest name. */
const MAX_QUERY_LENGTH = 40;
const MAX_CODE_LENGTH = 80;
/**
 * A pasted text with at least this many digits is a number, even if it contains other characters.
 */
const SURELY_A_NUMBER = 6;
const CODE_SIGNS = /^[\d\s()\].+-]+$/;

/**
 * Reads the field's text as a number, or as words that name a customer or a product. An amount or
 * account may follow the words. A barcode that cannot be a phone number is unchanged.
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
 * Returns a code that cannot be a phone number. It has too many digits, as on eSIM cards and bills,
 * or leading zeros, as on receipts.
 */
function readCode(text: string, before: TypedText): string | undefined {
  const latin = latinDigits(text).trim();
  const digits = latin.replaceAll(/\D/g, "");
  if (!CODE_SIGNS.test(latin)) {
    return /^89\d{14,}F$/i.test(latin.replaceAll(/\s/g, "")) ? latin : undefined;
  }
  // The field has replaced "00" by "+". No calling code starts with 0, so the text is a code.
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
