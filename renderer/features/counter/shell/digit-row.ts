import { latinDigits } from "../../../lib/direction.ts";
import { MODIFIERS } from "../../../lib/key-meaning.ts";
import { SAME_NUMBER_MS } from "../../../lib/same-number.ts";
import type { CounterIntent, KeyPlace, KeyPress } from "./counter-keys.ts";
import type { TypedNumber } from "./counter-state.ts";
import { NO_PACE, type Pace } from "./pace.ts";

/**
 * Digits typed without other keys between them. Where single digits pick, each one picks, unless
 * together they form a phone number.
 */
export interface DigitRow {
  readonly text: string;
  /** Time of the last digit, in milliseconds since any fixed moment. */
  readonly at: number;
  /** True if the last digit picked something, or a "+" kept the open line in the basket. */
  readonly hasActed: boolean;
  /**
   * True if the line in the confirm step is older than the digits, and stays if they form a phone
   * number.
   */
  readonly keepsItem: boolean;
  readonly cash: string;
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

/**
 * Adds a key to the row before the key takes effect. Detects a phone number if:
 *
 * - within 300 ms, the digit follows a "+" in the confirm step, or a digit that picked something;
 * - the row starts with "+" or "00", in a step where no other input starts like this; or
 * - the row is as long as a phone number, and its last digit picked something or is cash, at any
 *   speed.
 *
 * @param intent meaning of the key in the step; undefined if the step's field handles the key
 * @param fewest number of digits of the shortest phone number in this shop's country
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

/** Returns whether the text has only characters of phone numbers, and at least `fewest` digits. */
export function isPastedNumber(text: string, fewest: number): boolean {
  const latin = latinDigits(text).trim();
  return /^\+?[\d\s().-]+$/.test(latin) && latin.replaceAll(/\D/g, "").length >= fewest;
}

/** Stores the row of digits until another action ends it. */
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
