import { isolateAmount } from "../../server/contract/pos/money-text.ts";
import { type Direction, directionOf } from "../../server/contract/pos/setup.ts";

/**
 * Text in two directions: amounts, phone numbers and codes inside Arabic run from left to right.
 * Unicode isolates separate both directions on the screen, on paper and in titles.
 */
const RIGHT_TO_LEFT_ISOLATE = "\u2067";
const FIRST_STRONG_ISOLATE = "\u2068";
const POP_ISOLATE = "\u2069";

const ISOLATES = /[\u2066-\u2069]/g;

export { type Direction, directionOf, isolateAmount };

export function joinParts(parts: readonly string[], locale: string): string {
  return parts.join(directionOf(locale) === "rtl" ? "، " : ", ");
}

/** Isolates a name or title that may be in another script. */
export function isolateText(text: string, locale: string): string {
  return directionOf(locale) === "rtl" ? FIRST_STRONG_ISOLATE + text + POP_ISOLATE : text;
}

const ARABIC_LETTER = /\p{Script=Arabic}/u;

/**
 * Joins a name and further words. Arabic words run from right to left even after a Latin name, and
 * a number at their start stays beside its unit.
 */
export function isolateNamed(name: string, words: string, locale: string): string {
  if (directionOf(locale) !== "rtl" || !ARABIC_LETTER.test(words)) {
    return isolateText(`${name} ${words}`, locale);
  }
  const parts = [name, words].map((part) => FIRST_STRONG_ISOLATE + part + POP_ISOLATE);
  return RIGHT_TO_LEFT_ISOLATE + parts.join(" ") + POP_ISOLATE;
}

/**
 * Joins a name and further parts with a dot. With an Arabic part the whole runs from right to left,
 * although it starts with a Latin name.
 */
export function isolateDotted(parts: readonly string[], locale: string): string {
  const text = parts.map((part) => isolateText(part, locale)).join(" · ");
  const isArabic = directionOf(locale) === "rtl" && parts.some((part) => ARABIC_LETTER.test(part));
  return isArabic ? RIGHT_TO_LEFT_ISOLATE + text + POP_ISOLATE : text;
}

/** Removes isolates, for editing in a field and for counting letters. */
export function withoutIsolates(text: string): string {
  return text.replaceAll(ISOLATES, "");
}

type Words = { readonly [key: string]: string | Words };

/**
 * Isolates the variables in all texts of a right-to-left language, so that a name or number does
 * not reorder the words around it.
 */
export function isolateVariables<Tree extends Words>(words: Tree, language: string): Tree {
  return directionOf(language) === "rtl" ? (isolateIn(words) as Tree) : words;
}

function isolateIn(words: Words): Words {
  return Object.fromEntries(
    Object.entries(words).map(([key, value]) => [
      key,
      typeof value === "string"
        ? value.replaceAll(/\{\{[^}]+\}\}/g, `${FIRST_STRONG_ISOLATE}$&${POP_ISOLATE}`)
        : isolateIn(value),
    ]),
  );
}

/**
 * Zeros of the scripts whose digits keyboards and input methods produce. Full-width digits are
 * last.
 */
const ZEROS = [
  0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66,
  0x0e50, 0x0ed0, 0x0f20, 0x1040, 0x17e0, 0x1810, 0xff10,
];

const SIGNS: Readonly<Record<string, string>> = {
  "\u066b": ".",
  "\uff0e": ".",
  "\uff0c": ",",
  "\uff0b": "+",
  "\uff05": "%",
};

/** Converts the digits of every script to Latin digits, and signs of numbers to ASCII. */
export function latinDigits(text: string): string {
  return text
    .replaceAll(/[\u066b\uff05\uff0b\uff0c\uff0e]/g, (sign) => SIGNS[sign] ?? sign)
    .replaceAll(/\p{Nd}/gu, latinDigit);
}

function latinDigit(digit: string): string {
  const code = digit.charCodeAt(0);
  const zero = ZEROS.find((one) => code >= one && code <= one + 9);
  return zero === undefined ? digit : String(code - zero);
}
