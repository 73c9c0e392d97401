import { latinDigits } from "../../../lib/direction.ts";
import { MODIFIERS } from "../../../lib/key-meaning.ts";
import { SAME_NUMBER_MS } from "../../../lib/same-number.ts";
import type { KeyPress } from "./counter-keys.ts";
import type { CounterState } from "./counter-state.ts";

/** How quickly keys follow each other: whether a clerk saw what the one before led to. */
export interface Pace {
  /** When the last sign was typed, in milliseconds since any fixed moment. */
  readonly signAt: number;
  /** When the last sign of a row of quick ones with a letter in it was. */
  readonly wordAt: number;
  /** When Enter was pressed last. */
  readonly enterAt: number;
  /** Signs that followed each other as only a scanner types them. */
  readonly scanned: string;
  /** The counter before the first of those. */
  readonly before: CounterState | undefined;
  /** The first of those was a key of the step, and no text. */
  readonly beganAsKey: boolean;
  /** Signs that followed each other at the payment, as those of a word do. */
  readonly payRow: string;
  /** The counter before the first of those. */
  readonly payBefore: CounterState | undefined;
  /** When an Enter was pressed that was not taken for a payment. */
  readonly refusedAt: number;
}

const NEVER = Number.NEGATIVE_INFINITY;

export const NO_PACE: Pace = {
  signAt: NEVER,
  wordAt: NEVER,
  enterAt: NEVER,
  scanned: "",
  before: undefined,
  beganAsKey: false,
  payRow: "",
  payBefore: undefined,
  refusedAt: NEVER,
};

/** The fastest typists need three times as long for most of their keys. */
const SCANNER_MS = 35;
/** The shortest code that a scanner is used for. */
export const SHORTEST_SCAN = 6;
/** The slowest typists need no longer from one letter of a word to the next. */
const WORD_MS = 1000;

/** With one key more; nothing is left of it after a key that neither writes nor goes on. */
export function readPace(
  pace: Pace,
  press: KeyPress,
  { state, isKey }: { readonly state: CounterState; readonly isKey: boolean },
): Pace {
  const { key, at, alt, ctrl } = press;
  if (MODIFIERS.has(key)) {
    return pace;
  }
  if (alt || ctrl) {
    return NO_PACE;
  }
  if (key === "Enter") {
    return { ...NO_PACE, enterAt: at };
  }
  if ([...key].length !== 1) {
    return NO_PACE;
  }
  const isGoingOn = pace.before !== undefined && isWithin(SCANNER_MS, pace.signAt, at);
  return {
    signAt: at,
    wordAt: isInWord(pace, press) || /[^\d+]/.test(latinDigits(key)) ? at : pace.wordAt,
    enterAt: pace.enterAt,
    scanned: isGoingOn ? pace.scanned + key : key,
    before: isGoingOn ? pace.before : state,
    beganAsKey: isGoingOn ? pace.beganAsKey : isKey,
    ...payRowWith(pace, press, state),
    refusedAt: NEVER,
  };
}

/** A discount that one of them opened belongs to it; in a field that was open before, they are text. */
function payRowWith(
  pace: Pace,
  press: KeyPress,
  state: CounterState,
): Pick<Pace, "payRow" | "payBefore"> {
  const { confirming, paying, entry } = state.sale;
  if (isPayRowOpen(pace, press) && confirming && !paying) {
    return { payRow: pace.payRow + press.key, payBefore: pace.payBefore };
  }
  const begins = confirming && !paying && !entry && press.key !== " ";
  return begins ? { payRow: press.key, payBefore: state } : { payRow: "", payBefore: undefined };
}

/** Whether a sign goes on with those that were typed at the payment before it. */
export function isPayRowOpen({ payBefore, signAt }: Pace, { at }: KeyPress): boolean {
  return payBefore !== undefined && isWithin(WORD_MS, signAt, at);
}

/** Whether a key follows the sign before it as quickly as a scanner or a typist goes on. */
export function isQuick({ signAt }: Pace, { at }: KeyPress): boolean {
  return isWithin(SAME_NUMBER_MS, signAt, at);
}

/** Whether Enter follows one that was not taken too soon for the reason to have been read. */
export function isSoonAfterRefusal({ refusedAt }: Pace, { at }: KeyPress): boolean {
  return isWithin(SAME_NUMBER_MS, refusedAt, at);
}

/** Whether a clerk could see what stood on the screen after the key before this one. */
export function isAfterLook({ signAt, enterAt }: Pace, { at, isAhead = false }: KeyPress): boolean {
  return !isAhead && at - Math.max(signAt, enterAt) > SAME_NUMBER_MS;
}

/** Whether the key follows a letter, or what followed one, too soon to be a choice of its own. */
export function isInWord({ wordAt }: Pace, { at }: KeyPress): boolean {
  return isWithin(SAME_NUMBER_MS, wordAt, at);
}

/** Whether Enter follows Enter too soon for what that one led to to have been seen. */
export function isSecondEnter({ enterAt }: Pace, { key, at }: KeyPress): boolean {
  return key === "Enter" && isWithin(SAME_NUMBER_MS, enterAt, at);
}

/**
 * What a scanner typed, where its signs were keys and this is the Enter at its end. Digits alone are
 * taken for a number by then, wherever they were typed.
 *
 * @param isKey Enter is one of the step, and of no field
 */
export function scanEndedBy(
  { scanned, signAt, beganAsKey }: Pace,
  { key, at }: KeyPress,
  isKey: boolean,
): string | undefined {
  const isEnd = key === "Enter" && isWithin(SCANNER_MS, signAt, at);
  const isCode = isKey || (beganAsKey && /[^\d+]/.test(scanned));
  return isEnd && isCode && scanned.length >= SHORTEST_SCAN ? scanned : undefined;
}

function isWithin(ms: number, since: number, at: number): boolean {
  return at >= since && at - since <= ms;
}
