import type { Fault } from "./catalog-schema.ts";

/**
 * As long as the contract's paths and filters accept. It stands in addresses, file names and names of
 * objects, so it begins with a letter or a digit and has no sign with a meaning there.
 */
const ID = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._:+&()-]{0,127}$/u;
/** Also characters that break a line or turn the direction of the text after them. */
const CONTROL = /[\p{Cc}\u2028-\u202E\u2066-\u2069]/u;
const CONTROL_IN_LINES = /(?![\t\n\r])[\p{Cc}\u202A-\u202E]/u;
/** Names in other letters within a text are isolated from it: begun and ended in one line. */
const ISOLATED = /[\u2066-\u2068][^\u2066-\u2069\n\r]*\u2069/gu;
const LOOSE_ISOLATE = /[\u2066-\u2069]/u;

const LONGEST_LINE = 512;
const LONGEST_TEXT = 20_000;
const LONGEST_LINK = 2_048;
/** What people read, in as many lines as it takes. Every other text is of one line. */
const OF_MANY_LINES = new Set([
  "description",
  "label",
  "notes",
  "redemptionInstructions",
  "shortNotes",
  "terms",
]);
const LINKS = new Set([
  "brandBigImage",
  "brandGiftImage",
  "brandInfoPdf",
  "brandLogo",
  "link",
  "redemptionVideo",
]);
/** One slash: with two, the rest would be another host. */
const PATH = /^\/(?![/\\])[^\s\\]*$/u;

/** Faults of what names an item in addresses: an offer, a brand or a promotion. */
export function faultsOfId(id: string, field: string): Fault[] {
  if (ID.test(id)) return [];
  const message =
    "must be 1 to 128 letters, digits, spaces and . _ : + & ( ) - and begin with a letter or digit";
  return [{ path: [field], message }];
}

/** Why a text cannot stand in this field; undefined when it can. */
export function whyNotText(text: string, field: string): string | undefined {
  if (!text.isWellFormed()) return "has half of a character";
  const hasLines = OF_MANY_LINES.has(field);
  const longest = longestOf(field);
  if (text.length > longest) return `is longer than ${longest} characters`;
  const control = hasLines
    ? (CONTROL_IN_LINES.exec(text) ?? LOOSE_ISOLATE.exec(text.replaceAll(ISOLATED, "")))
    : CONTROL.exec(text);
  if (control) return `has the control character ${codePointOf(control[0])}`;
  if (LINKS.has(field) && text !== "" && !PATH.test(text) && !isWebAddress(text)) {
    return "must be empty, a path such as /v1/brands/TIGO/logo.svg, or begin with https:// or http://";
  }
  return undefined;
}

/** A text that can stand in this field: without its control characters, and cut to the field's length. */
export function toShownText(text: string, field: string): string {
  if (whyNotText(text, field) === undefined) return text;
  const control = OF_MANY_LINES.has(field) ? CONTROL_IN_LINES : CONTROL;
  const plain = text
    .toWellFormed()
    .replaceAll(new RegExp(control, "gu"), OF_MANY_LINES.has(field) ? "" : " ")
    .replaceAll(new RegExp(LOOSE_ISOLATE, "gu"), "")
    .slice(0, longestOf(field))
    .toWellFormed();
  return whyNotText(plain, field) === undefined ? plain : "";
}

function longestOf(field: string): number {
  if (OF_MANY_LINES.has(field)) return LONGEST_TEXT;
  return LINKS.has(field) ? LONGEST_LINK : LONGEST_LINE;
}

/** Whether a link leads to a page or a file of the web, and does nothing else when it is opened. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s\\]+$/iu.test(text) && URL.canParse(text);
}

/** As in `U+001B`. */
function codePointOf(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `U+${hex.padStart(4, "0")}`;
}
