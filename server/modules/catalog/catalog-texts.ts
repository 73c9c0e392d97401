import type { Fault } from "./catalog-schema.ts";

/**
 * As long as the contract's paths and filters take; it stands in addresses, file names and as a name
 * in objects, so that it begins with a letter or a digit and has no sign with a meaning there.
 */
const ID = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._:+&()-]{0,127}$/u;
const CONTROL = /\p{Cc}/u;
const CONTROL_IN_LINES = /(?![\t\n\r])\p{Cc}/u;
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
  const control = (OF_MANY_LINES.has(field) ? CONTROL_IN_LINES : CONTROL).exec(text);
  if (control) return `has the control character ${codePointOf(control[0])}`;
  if (LINKS.has(field) && text !== "" && !PATH.test(text) && !isWebAddress(text)) {
    return "must be empty, a path such as /v1/brands/TIGO/logo.svg, or begin with https:// or http://";
  }
  return undefined;
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
