import { latinDigits } from "../../../lib/direction.ts";
import { quickNotes } from "../sale/tender/counted-cash.ts";
import type { CounterIntent, KeyPress } from "./counter-keys.ts";
import {
  isPayRowOpen,
  isQuick,
  isSoonAfterRefusal,
  NO_PACE,
  type Pace,
  SHORTEST_SCAN,
} from "./pace.ts";
import type { Counter } from "./use-counter.ts";

/** Of an amount, with the signs that people write into one. */
const OF_AMOUNT = /^[\d.,٫٬]$/;
const OF_DISCOUNT = /^[\d.,٫٬%٪]$/;

/**
 * Whether a sign makes what is typed at the payment a word, or goes on with one. Cash, or a payment
 * method behind it, is none; nothing else is told by single keys there (rules#key-word-never-pays).
 *
 * @param pace before the key
 * @param intent what the key means by itself
 */
export function isOfWord(
  pace: Pace,
  press: KeyPress,
  intent: CounterIntent | undefined,
  { control, state }: Counter,
): boolean {
  const { confirming, paying, entry, asksLook } = state.sale;
  const key = latinDigits(press.key);
  const isOpen = isPayRowOpen(pace, press);
  const isSign = [...key].length === 1 && key !== "+" && !press.alt && !press.ctrl;
  if (!(confirming && isSign) || paying || (!isOpen && (entry || key === " "))) {
    return false;
  }
  if (isOpen && asksLook === "word") {
    return true;
  }
  const followsLetter = isOpen && isQuick(pace, press) && /\p{L}$/u.test(pace.payRow);
  if ((entry ? OF_DISCOUNT : OF_AMOUNT).test(key)) {
    return followsLetter && !entry;
  }
  const isKeyHere = intent?.do === "letter" && control.letters?.includes(intent.letter);
  return followsLetter || !isKeyHere;
}

/**
 * Whether an Enter is no payment yet: behind a word, or so soon behind a row as long as a code that
 * nobody saw what it had typed. An amount that stands on the screen was seen before it was typed.
 *
 * @param cash the digits that were typed as cash, one after the other
 */
export function asksLook(
  pace: Pace,
  press: KeyPress,
  cash: string,
  { state, sale }: Counter,
): boolean {
  const { confirming, asksLook: why } = state.sale;
  if (!confirming || press.key !== "Enter") {
    return false;
  }
  const isRefusedBefore = pace.refusedAt !== NO_PACE.refusedAt;
  if (isSoonAfterRefusal(pace, press) || (why === "word" && !isRefusedBefore)) {
    return true;
  }
  const isLong = Math.max([...pace.payRow].length, cash.length) >= SHORTEST_SCAN;
  return isLong && isQuick(pace, press) && !(isCash(pace) && isInSight(sale));
}

function isCash({ payRow }: Pace): boolean {
  return [...latinDigits(payRow)].every((sign) => OF_AMOUNT.test(sign));
}

/** The exact amount, or one of the notes that it can be paid with. */
function isInSight({ tendered, till }: Counter["sale"]): boolean {
  const { currency, currencyDivisor } = till;
  const due = tendered?.cashDue ?? 0;
  const shown = [due, ...quickNotes(due, currency, currencyDivisor)];
  return tendered?.tendered !== undefined && shown.includes(tendered.tendered);
}

/** A receipt's number has zeros in front and six digits; no amount has. */
export function isReceiptNumber(cash: string): boolean {
  return /^0\d+$/.test(cash) && cash.length >= SHORTEST_SCAN;
}
