import { latinDigits } from "../../../lib/direction.ts";
import type { ScreenCommand } from "../../../lib/screen-commands.ts";
import { quickNotes } from "../sale/tender/counted-cash.ts";
import {
  type CounterIntent,
  type KeyPlace,
  type KeyPress,
  readCounterKey,
} from "./counter-keys.ts";
import { type DigitRow, NO_ROW, readRow } from "./digit-row.ts";
import {
  isAfterLook,
  isInWord,
  isPayRowOpen,
  isQuick,
  isSecondEnter,
  isSoonAfterRefusal,
  NO_PACE,
  type Pace,
  readPace,
  SHORTEST_SCAN,
  scanEndedBy,
} from "./pace.ts";
import type { Counter } from "./use-counter.ts";

export interface CounterActions {
  readonly run: (command: ScreenCommand) => void;
  /** Called after Enter, to show the reason if the step is incomplete. */
  readonly proceeding: () => void;
}

function carryOut(intent: CounterIntent, counter: Counter, actions: CounterActions): void {
  const { control, sale } = counter;
  switch (intent.do) {
    case "proceed":
      actions.proceeding();
      return control.proceed();
    case "sell-again":
      if (sale.numberAsk) {
        return sale.numberAsk.skip();
      }
      return sale.confirmsFirst ? void sale.pay("again") : undefined;
    case "keep-line":
      return counter.keepLine();
    case "family":
      return counter.pickFamily(intent.family);
    case "remove-line":
      return counter.removeLine(intent.index);
    case "undo":
      return counter.undo();
    case "open-others":
      return counter.openOthers();
    case "open-own":
      return counter.openOwn();
    case "hold":
      return counter.held.open();
    case "customer-refund":
    case "print":
    case "send-receipt":
    case "next-language":
    case "name-number":
      return actions.run(intent.do);
    case "zero":
      return control.zero?.();
    case "type":
      return control.type?.((text) => text + intent.text);
    case "erase":
      return control.type?.((text) => text.slice(0, -1));
    case "pick":
      return control.pick?.(intent.index);
    case "letter":
      return control.letter?.(intent.letter);
    case "turn-tab":
      return control.turnTab?.(intent.step);
    case "turn-page":
      return control.turnPage?.(intent.step);
    case "move":
      return control.move?.(intent.step);
    case "move-to":
      return control.moveTo?.(intent.end);
  }
}

const OF_AMOUNT = /^[\d.,٫٬]$/;
const OF_DISCOUNT = /^[\d.,٫٬%٪]$/;

/** A held key must not repeat these intents, which would run through further steps. */
const ONCE = new Set([
  "proceed",
  "pick",
  "zero",
  "sell-again",
  "keep-line",
  "family",
  "remove-line",
  "customer-refund",
]);

interface Pressed {
  readonly step: KeyPlace;
  readonly counter: Counter;
  readonly actions: CounterActions;
  readonly isHeldDown: boolean;
}

interface Done {
  readonly row: DigitRow;
  /** Undefined if the browser handles the key. */
  readonly did?: "number" | "key";
}

/**
 * Performs a key's intent. If the keys form a phone number, moves them to the number field instead.
 */
export function pressKey(press: KeyPress, row: DigitRow, pressed: Pressed): Done {
  const { counter, isHeldDown } = pressed;
  if (isHeldDown && row.hasActed && /^\d$/.test(press.key)) {
    // The digit has already picked. Its repeats must not be typed into the next field.
    return { row, did: "key" };
  }
  if (isHeldDown && takesPayment(counter) && /^\p{L}$/u.test(press.key)) {
    // A held letter is one letter, not a word of equal letters.
    return { row, did: "key" };
  }
  const isKey = takesNoText(pressed.step);
  const pace = readPace(row.pace, press, { state: counter.state, isKey });
  const { row: read, did, isRefused } = act(press, row, pressed);
  const now = isRefused ? { ...pace, refusedAt: press.at } : pace;
  return { row: now === read.pace ? read : { ...read, pace: now }, ...(did && { did }) };
}

function takesPayment({ state: { sale } }: Counter): boolean {
  return sale.confirming && !sale.entry;
}

interface Acted extends Done {
  /** True if Enter must be pressed again to pay. */
  readonly isRefused?: boolean;
}

function act(pressedKey: KeyPress, row: DigitRow, pressed: Pressed): Acted {
  const { counter, actions, isHeldDown } = pressed;
  const { pace } = row;
  const press = inWord(pace, pressedKey, pressed.step);
  const step = placeAt(pace, press, pressed.step);
  const intent = readCounterKey(press, step);
  if (isOfWord(pace, press, intent, counter)) {
    const before = isPayRowOpen(pace, press) ? pace.payBefore : undefined;
    counter.sale.dispatch({ type: "word-typed", tender: (before ?? counter.state).sale.tender });
    return { row: NO_ROW, did: "key" };
  }
  const read = readRow(row, press, step, intent, counter.fewestDigits);
  if (read.number) {
    counter.beginNumber(read.number);
    return { row: read.row, did: "number" };
  }
  const scan = scanEndedBy(pace, press, takesNoText(step));
  if (scan !== undefined && pace.before) {
    counter.beginScan(scan, pace.before);
    return { row: read.row, did: "key" };
  }
  if (press.key === "Enter" && takesPayment(counter) && isReceiptNumber(row.cash)) {
    counter.beginScan(row.cash, counter.state);
    return { row: read.row, did: "key" };
  }
  if (asksLook(pace, press, row.cash, counter)) {
    counter.sale.dispatch({ type: "look-asked" });
    return { row: read.row, did: "key", isRefused: true };
  }
  if (!intent) {
    return { row: read.row };
  }
  const isBlind = isUnseen(intent, press, pace, counter);
  if (!(isBlind || (isHeldDown && ONCE.has(intent.do)))) {
    carryOut(intent, counter, actions);
  }
  return { row: read.row, did: "key" };
}

/** Digits pick only if the clerk could see the screen (rules#key-scan-never-picks). */
function placeAt(pace: Pace, press: KeyPress, step: KeyPlace): KeyPlace {
  const { picksDigit, ...rest } = step;
  return {
    ...rest,
    ...(picksDigit && isAfterLook(pace, press) && { picksDigit }),
    ...(isInWord(pace, press) && { isInWord: true }),
  };
}

/** On the top row, a key's letter counts inside a search word, and its digit elsewhere. */
function inWord(pace: Pace, press: KeyPress, { typing }: KeyPlace): KeyPress {
  const { typed, ...rest } = press;
  const isLetter = typed !== undefined && /^\p{L}$/u.test(typed);
  return isLetter && typing === "search" && isInWord(pace, press) ? { ...rest, key: typed } : press;
}

/** Returns whether the step takes no text, so that scanned characters would act as shortcuts. */
function takesNoText({ typing, takesCash = false }: KeyPlace): boolean {
  return takesCash || typing === "none" || typing === "search";
}

/**
 * Returns whether the clerk could not yet see the item that Enter takes. An item whose name
 * contains the typed words counts as seen; a payment reached by search words does not.
 */
function isUnseen(
  intent: CounterIntent,
  press: KeyPress,
  pace: Pace,
  { control, state, isFromWords }: Counter,
): boolean {
  if (intent.do !== "proceed") {
    return false;
  }
  return state.sale.confirming
    ? isFromWords && isSecondEnter(pace, press)
    : control.needsLook === true && !isAfterLook(pace, press);
}

/**
 * Returns whether a character in the confirm step starts or continues a word. Neither cash nor a
 * payment method after cash is a word (rules#key-word-never-pays).
 *
 * @param pace timing before the key
 * @param intent meaning of the key by itself
 */
function isOfWord(
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
 * Returns whether Enter must not pay yet: after a word, or too soon after as many keys as a code
 * has. An amount that the screen proposes is paid at once.
 *
 * @param cash consecutive digits typed as cash
 */
function asksLook(pace: Pace, press: KeyPress, cash: string, { state, sale }: Counter): boolean {
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

function isInSight({ tendered, till }: Counter["sale"]): boolean {
  const { currency, currencyDivisor } = till;
  const due = tendered?.cashDue ?? 0;
  const shown = [due, ...quickNotes(due, currency, currencyDivisor)];
  return tendered?.tendered !== undefined && shown.includes(tendered.tendered);
}

/** Six or more digits with a leading zero are a receipt number; no amount starts with 0. */
function isReceiptNumber(cash: string): boolean {
  return /^0\d+$/.test(cash) && cash.length >= SHORTEST_SCAN;
}
