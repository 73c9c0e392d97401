import { type Direction, directionOf } from "../../server/contract/pos/setup.ts";

/**
 * Text in two directions. Arabic runs from right to left; amounts, phone numbers and codes inside
 * it never do. Unicode isolates keep the two apart wherever a text goes: screen, paper, title.
 */
const LEFT_TO_RIGHT_ISOLATE = "\u2066";
const RIGHT_TO_LEFT_ISOLATE = "\u2067";
const FIRST_STRONG_ISOLATE = "\u2068";
const POP_ISOLATE = "\u2069";

/** Marks that only steer the order of letters: CLDR puts them around Arabic amounts. */
const LEADING_MARKS = /^[\u061c\u200e\u200f]+/;
const ISOLATES = /[\u2066-\u2069]/g;

export { type Direction, directionOf };

/** Parts of one line behind each other, with the comma of the language. */
export function joinParts(parts: readonly string[], locale: string): string {
  return parts.join(directionOf(locale) === "rtl" ? "، " : ", ");
}

/** An amount as one piece that is read from left to right; as it is in such a language. */
export function isolateAmount(text: string, locale: string): string {
  return directionOf(locale) === "rtl"
    ? LEFT_TO_RIGHT_ISOLATE + text.replace(LEADING_MARKS, "") + POP_ISOLATE
    : text;
}

/** A name or a title that may be in another script, kept whole among words that run the other way. */
export function isolateText(text: string, locale: string): string {
  return directionOf(locale) === "rtl" ? FIRST_STRONG_ISOLATE + text + POP_ISOLATE : text;
}

const ARABIC_LETTER = /\p{Script=Arabic}/u;

/**
 * A name before words, such as a brand before what is in it. Words in Arabic run from right to left after
 * a Latin name too, and a number that begins them stays beside its unit.
 */
export function isolateNamed(name: string, words: string, locale: string): string {
  if (directionOf(locale) !== "rtl" || !ARABIC_LETTER.test(words)) {
    return isolateText(`${name} ${words}`, locale);
  }
  const parts = [name, words].map((part) => FIRST_STRONG_ISOLATE + part + POP_ISOLATE);
  return RIGHT_TO_LEFT_ISOLATE + parts.join(" ") + POP_ISOLATE;
}

/** The text without its isolates, for a field that is edited and for what counts letters. */
export function withoutIsolates(text: string): string {
  return text.replaceAll(ISOLATES, "");
}

type Words = { readonly [key: string]: string | Words };

/**
 * The words of a language, with whatever is filled into them isolated where the language runs
 * from right to left: a name or a number never pulls the words around it out of order.
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

/** The zeros of the scripts whose digits keyboards and input methods write; full-width ones are last. */
const ZEROS = [
  0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66,
  0x0e50, 0x0ed0, 0x0f20, 0x1040, 0x17e0, 0x1810, 0xff10,
];

/** Signs of numbers in other forms than ASCII has. */
const SIGNS: Readonly<Record<string, string>> = {
  "\u066b": ".",
  "\uff0e": ".",
  "\uff0c": ",",
  "\uff0b": "+",
  "\uff05": "%",
};

/** A text with the digits of every script as Latin ones, and with ASCII signs of numbers. */
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
