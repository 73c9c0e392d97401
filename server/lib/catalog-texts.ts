/** Includes line breaks and characters that change the text direction. */
const CONTROL = /[\p{Cc}\u2028-\u202E\u2066-\u2069]/u;
const CONTROL_IN_LINES = /(?![\t\n\r])[\p{Cc}\u202A-\u202E]/u;
/** Bidirectional isolates that open and close within one line. */
const ISOLATED = /[\u2066-\u2068][^\u2066-\u2069\n\r]*\u2069/gu;
const LOOSE_ISOLATE = /[\u2066-\u2069]/u;

const MAX_LINE_LENGTH = 512;
const MAX_TEXT_LENGTH = 20_000;
const MAX_LINK_LENGTH = 2_048;
/** Fields that may have several lines. */
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
/** A second slash would make the first segment a host. */
const PATH = /^\/(?![/\\])[^\s\\]*$/u;

export function whyNotText(text: string, field: string): string | undefined {
  if (!text.isWellFormed()) return "has half of a character";
  const hasLines = OF_MANY_LINES.has(field);
  const longest = getMaxLength(field);
  if (text.length > longest) return `is longer than ${longest} characters`;
  const control = hasLines
    ? (CONTROL_IN_LINES.exec(text) ?? LOOSE_ISOLATE.exec(text.replaceAll(ISOLATED, "")))
    : CONTROL.exec(text);
  if (control) return `has the control character ${formatCodePoint(control[0])}`;
  if (LINKS.has(field) && text !== "" && !PATH.test(text) && !isWebAddress(text)) {
    return "must be empty, a path such as /v1/brands/TIGO/logo.svg, or begin with https:// or http://";
  }
  return undefined;
}

export function toShownText(text: string, field: string): string {
  if (whyNotText(text, field) === undefined) return text;
  const control = OF_MANY_LINES.has(field) ? CONTROL_IN_LINES : CONTROL;
  const plain = text
    .toWellFormed()
    .replaceAll(new RegExp(control, "gu"), OF_MANY_LINES.has(field) ? "" : " ")
    .replaceAll(new RegExp(LOOSE_ISOLATE, "gu"), "")
    .slice(0, getMaxLength(field))
    .toWellFormed();
  return whyNotText(plain, field) === undefined ? plain : "";
}

function getMaxLength(field: string): number {
  if (OF_MANY_LINES.has(field)) return MAX_TEXT_LENGTH;
  return LINKS.has(field) ? MAX_LINK_LENGTH : MAX_LINE_LENGTH;
}

export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s\\]+$/iu.test(text) && URL.canParse(text);
}

function formatCodePoint(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `U+${hex.padStart(4, "0")}`;
}
