import { latinDigits } from "../../../lib/direction.ts";
import { MODIFIERS } from "../../../lib/key-meaning.ts";
import { SAME_NUMBER_MS } from "../../../lib/same-number.ts";
import type { KeyPress } from "./counter-keys.ts";
import type { CounterState } from "./counter-state.ts";

/** Timing of keys, which shows whether the clerk could see the effect of the previous key. */
export interface Pace {
  /** Time of the last character, in milliseconds since any fixed moment. */
  readonly signAt: number;
  /** Time of the last character typed in a quick row that contains a letter. */
  readonly wordAt: number;
  readonly enterAt: number;
  /** Characters that follow each other at the speed of a scanner. */
  readonly scanned: string;
  /** Counter state before the first character of `scanned`. */
  readonly before: CounterState | undefined;
  /** True if the first character of `scanned` acted as a shortcut. */
  readonly beganAsKey: boolean;
  /** Characters in the confirm step that follow each other at the speed of a typed word. */
  readonly payRow: string;
  /** Counter state before the first character of `payRow`. */
  readonly payBefore: CounterState | undefined;
  /** Time of the last Enter that was rejected instead of paying. */
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

/**
 * Maximum time between two characters of a scanner. Even the fastest typists are about three times
 * slower.
 */
const SCANNER_MS = 35;
export const SHORTEST_SCAN = 6;
/** Maximum time between two letters of a word, for the slowest typists. */
const WORD_MS = 1000;

/**
 * Updates the timing with a key. Modifier keys leave it unchanged. Other keys without a character
 * reset it; Enter also stores its own time.
 */
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

/**
 * Updates the row of characters typed in the confirm step. A row starts only if no field is open.
 * It continues in a field that one of its own keys opened, such as the discount field.
 */
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

export function isPayRowOpen({ payBefore, signAt }: Pace, { at }: KeyPress): boolean {
  return payBefore !== undefined && isWithin(WORD_MS, signAt, at);
}

/** Returns whether the clerk had no time to look at the screen since the previous character. */
export function isQuick({ signAt }: Pace, { at }: KeyPress): boolean {
  return isWithin(SAME_NUMBER_MS, signAt, at);
}

/** Returns whether Enter follows a rejected Enter too soon for reading the reason. */
export function isSoonAfterRefusal({ refusedAt }: Pace, { at }: KeyPress): boolean {
  return isWithin(SAME_NUMBER_MS, refusedAt, at);
}

/** Returns whether the clerk could look at the screen after the previous key. */
export function isAfterLook({ signAt, enterAt }: Pace, { at, isAhead = false }: KeyPress): boolean {
  return !isAhead && at - Math.max(signAt, enterAt) > SAME_NUMBER_MS;
}

/** Returns whether a digit follows a word's character too soon to be a pick. */
export function isInWord({ wordAt }: Pace, { at }: KeyPress): boolean {
  return isWithin(SAME_NUMBER_MS, wordAt, at);
}

/** Returns whether Enter follows Enter too soon for the clerk to have seen the result. */
export function isSecondEnter({ enterAt }: Pace, { key, at }: KeyPress): boolean {
  return key === "Enter" && isWithin(SAME_NUMBER_MS, enterAt, at);
}

/**
 * Returns the scanned text if the key is the Enter that ends a scan whose characters acted as
 * shortcuts. Digits alone were already read as a number.
 * @param isKey true if Enter acts on the step, not on a field
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
