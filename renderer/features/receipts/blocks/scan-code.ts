import type { VoucherDetails } from "../../../../server/contract/pos/sale-lines.ts";
import type { Paper } from "../../../lib/print-settings.ts";

/**
 * Code 128 with sets B (characters) and C (pairs of digits), by ISO/IEC 15417. Each symbol is given
 * by the widths of its three bars and three spaces, in units. The last symbol, the stop symbol, has
 * a fourth bar.
 */
const WIDTHS =
  "212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 " +
  "122132 122231 113222 123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 " +
  "321221 312212 322112 322211 212123 212321 232121 111323 131123 131321 112313 132113 132311 " +
  "211313 231113 231311 112133 112331 132131 113123 113321 133121 313121 211331 231131 213113 " +
  "213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 111422 " +
  "121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 " +
  "241112 134111 111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 " +
  "412121 111143 111341 131141 114113 114311 411113 411311 113141 114131 311141 411131 211412 " +
  "211214 211232 2331112";
export const SYMBOLS: readonly string[] = WIDTHS.split(" ");
const START_B = 104;
const START_C = 105;
const TO_C = 99;
const TO_B = 100;
const STOP = 106;

/** White margin that a scanner needs at each end, in units. */
const QUIET_UNITS = 10;

/** The characters of set B. */
const LETTERS = /^[ -~]+$/;
/** Matches digits that are shorter in set C, even with switches to set C and back. */
const DIGITS = /^(?:\d{4,}$|\d{6,})/;

/** Printable width in dots. A4 is wider, but scanners do not read a wider code in one pass. */
export const ROOM_DOTS: Readonly<Record<Paper, number>> = { "58mm": 384, "80mm": 576, A4: 576 };

/** Widths of a unit. Thinner bars run together on thermal paper. Wider bars do not scan better. */
const UNIT_DOTS = { least: 2, most: 4 };

export interface BarsOnPaper {
  /** Alternating bars and spaces in dots, starting with a bar. */
  readonly widths: readonly number[];
  /** Width including the white margin at both ends. */
  readonly totalDots: number;
}

/** Returns the widest bars that fit; undefined if the content is too long or not ASCII. */
export function barsOf(content: string, roomDots: number): BarsOnPaper | undefined {
  const widths = code128(content);
  if (!widths) return undefined;
  const units = widths.reduce((sum, one) => sum + one, 2 * QUIET_UNITS);
  const unit = Math.min(UNIT_DOTS.most, Math.floor(roomDots / units));
  return unit < UNIT_DOTS.least
    ? undefined
    : { widths: widths.map((width) => width * unit), totalDots: units * unit };
}

/**
 * Returns whether the delivery type demands a barcode for a cash desk's scanner. No field states
 * the kind of barcode.
 */
export function isScanned({ deliveryType, epin }: VoucherDetails): boolean {
  return deliveryType === "BARCODE" && epin !== "";
}

/**
 * Returns alternating bars and spaces in units, starting with a bar; undefined if the text is not
 * ASCII.
 */
export function code128(text: string): number[] | undefined {
  if (!LETTERS.test(text)) return undefined;
  const [start = START_B, ...values] = symbolsOf(text);
  const check = values.reduce((sum, value, at) => sum + value * (at + 1), start) % 103;
  return [start, ...values, check, STOP].flatMap((symbol) =>
    [...(SYMBOLS[symbol] ?? "")].map(Number),
  );
}

/** Returns the symbols without checksum and stop symbol. */
function symbolsOf(text: string): number[] {
  const startsWithDigits = /^(?:\d\d$|\d{4})/.test(text);
  const symbols = [startsWithDigits ? START_C : START_B];
  let isDigits = startsWithDigits;
  let rest = text;
  while (rest !== "") {
    const pair = /^\d\d/.exec(rest)?.[0];
    if (isDigits && pair !== undefined) {
      symbols.push(Number(pair));
      rest = rest.slice(2);
    } else if (isDigits) {
      symbols.push(TO_B);
      isDigits = false;
    } else if (DIGITS.test(rest) && isEvenRun(rest)) {
      symbols.push(TO_C);
      isDigits = true;
    } else {
      symbols.push(rest.charCodeAt(0) - 32);
      rest = rest.slice(1);
    }
  }
  return symbols;
}

/**
 * The first digit of an odd run is encoded in set B. An odd digit at the end would need another
 * switch.
 */
function isEvenRun(text: string): boolean {
  return (/^\d+/.exec(text)?.[0].length ?? 0) % 2 === 0;
}
