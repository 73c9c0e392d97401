import { latinDigits } from "../../../lib/direction.ts";
import { MODIFIERS } from "../../../lib/key-meaning.ts";
import { SAME_NUMBER_MS } from "../../../lib/same-number.ts";
import type { CounterIntent, KeyPlace, KeyPress } from "./counter-keys.ts";
import { NO_PACE, type Pace } from "./pace.ts";

/**
 * Digits that were typed one after the other with no other key between. Where single digits choose,
 * each of them is one choice, unless it turns out that a number was typed.
 */
export interface DigitRow {
  /** As it was typed, after a "+" where there was one. */
  readonly text: string;
  /** When the last of it was typed, in milliseconds since any fixed moment. */
  readonly at: number;
  /** The last of it chose something, or put the open item into the basket. */
  readonly hasActed: boolean;
  /** What stood in the confirm step when the row began was chosen before, and is not undone with it. */
  readonly keepsItem: boolean;
  /** What of it was typed as cash. */
  readonly cash: string;
  /** How quickly the keys came, those that are no digits as well. */
  readonly pace: Pace;
}

export const NO_ROW: DigitRow = {
  text: "",
  at: Number.NEGATIVE_INFINITY,
  hasActed: false,
  keepsItem: false,
  cash: "",
  pace: NO_PACE,
};

/** A number that turned out to be typed, and what becomes of the item in the confirm step. */
export interface TypedNumber {
  readonly text: string;
  readonly keepsItem: boolean;
}

/**
 * The row with one key more, before the key is carried out, and the number that it is by now:
 *
 * - a digit follows within 300 ms one that chose something, or a "+";
 * - it begins with "+" or "00" where nothing else does;
 * - it has become as many digits as a number has, and the last of them chose or is cash, in whatever time.
 *
 * @param intent what the key means in the step that is open; undefined where its field takes it
 * @param fewest digits of the shortest number that is typed in this shop
 */
export function readRow(
  row: DigitRow,
  press: KeyPress,
  place: KeyPlace,
  intent: CounterIntent | undefined,
  fewest: number,
): { readonly row: DigitRow; readonly number?: TypedNumber } {
  const key = latinDigits(press.key);
  if (MODIFIERS.has(key)) {
    return { row };
  }
  if (press.ctrl || press.alt || !/^[0-9+]$/.test(key)) {
    return { row: NO_ROW };
  }
  const { at } = press;
  if (key === "+") {
    const begun = { ...NO_ROW, text: "+", at, hasActed: place.confirming };
    const choosesHere = place.typing === "none" || place.typing === "search";
    return choosesHere ? { row: begun, number: { text: "+", keepsItem: true } } : { row: begun };
  }
  const isFirst = row.text === "";
  const read: DigitRow = {
    text: row.text + key,
    at,
    hasActed: intent?.do === "pick" || intent?.do === "zero",
    keepsItem: isFirst ? place.confirming : row.keepsItem,
    cash: place.takesCash ? row.cash + key : "",
    pace: row.pace,
  };
  const isQuick = row.hasActed && at - row.at <= SAME_NUMBER_MS;
  const chooses = read.hasActed || place.takesCash;
  const isAbroad = chooses && (read.text === "00" || read.cash === "00");
  const isLong = chooses && read.text.replace("+", "").length >= fewest;
  return isQuick || isAbroad || isLong
    ? {
        row: { ...read, hasActed: false, cash: "" },
        number: { text: read.text, keepsItem: read.keepsItem },
      }
    : { row: read };
}

/** Whether a pasted text is a number: phone signs alone, and as many digits as one has. */
export function isPastedNumber(text: string, fewest: number): boolean {
  const latin = latinDigits(text).trim();
  return /^\+?[\d\s().-]+$/.test(latin) && latin.replaceAll(/\D/g, "").length >= fewest;
}

/** The row that the next key belongs to, unless something else is done first. */
export class RowSoFar {
  #row = NO_ROW;

  read(): DigitRow {
    return this.#row;
  }

  goOn(row: DigitRow): void {
    this.#row = row;
  }

  end(): void {
    this.#row = NO_ROW;
  }
}
