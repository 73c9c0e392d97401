/** Text in place of a secret. */
export const MASK = "•••";

const SHOWN_DIGITS = 4;
/** Shorter values are masked as a whole, because four characters would be half of them. */
const MIN_SHORTENED = 9;

const KEYS_AND_TOKENS =
  /(?:test|live)_[\w-]{32,}|whsec_[\w+/=-]+|(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]*|LPA:[^\s"]+|bearer\s+\S+/gi;
const PHONE_NUMBER = /(?:\+|%2B)\d{7,15}/gi;
/** Card numbers start with 2 to 6, or 81 and 82. ICCIDs start with 89. */
const CARD_NUMBER = /(?<![\d+])(?:[2-6]|8[12])(?:[ -]?\d){11,18}(?!\d)/g;

/** Returns the last characters of a number, as on a receipt. */
export function shorten(text: string): string {
  return text.length < MIN_SHORTENED ? MASK : MASK + text.slice(-SHOWN_DIGITS);
}

/** Masks keys, tokens, activation codes, card numbers and phone numbers in a text. */
export function maskText(text: string): string {
  if (text.length < MIN_SHORTENED - 1) return text;
  return text
    .replaceAll(KEYS_AND_TOKENS, MASK)
    .replaceAll(PHONE_NUMBER, shorten)
    .replaceAll(CARD_NUMBER, (digits) => (isCard(digits) ? shorten(digits) : digits));
}

/** Returns whether the last digit is the check digit of a card number (Luhn, ISO/IEC 7812). */
function isCard(text: string): boolean {
  const digits = text.replaceAll(/\D/g, "");
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place]);
    const doubled = place % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
