import type { Family } from "../../../../server/contract/pos/families.ts";
import { latinDigits } from "../../../lib/direction.ts";
import type { ExpectedInput, KeyMeaning, KeyReport } from "../../../lib/key-meaning.ts";
import { isPrintKey } from "../../../lib/print-key.ts";
import { familyOfKey } from "../families/family-address.ts";
import type { StepControl, Typing } from "../ui/step-control.ts";

export interface KeyPress {
  readonly key: string;
  /** Physical key, for shortcuts that do not depend on the layout. */
  readonly code: string;
  readonly alt: boolean;
  readonly ctrl: boolean;
  /** True if the step's own field has the focus and handles the key itself. */
  readonly inField: boolean;
  /** Milliseconds since any fixed moment. */
  readonly at: number;
  /** Character that the key would type. Set if the key is read as the digit at its position. */
  readonly typed?: string;
  /** True while text is typed. No key then takes money or removes a line. */
  readonly isInText?: boolean;
  /** True if the key was pressed before the answer that decides its meaning. */
  readonly isAhead?: boolean;
  /** True on a right-to-left screen, where the next tab is on the left. */
  readonly rtl?: boolean;
}

/** Combines a key event and its meaning (rules#key-one-meaning). */
export function toPress(
  report: KeyReport,
  meaning: KeyMeaning,
  where: Pick<KeyPress, "inField" | "isInText" | "at" | "rtl">,
): KeyPress {
  const { key, code, altKey: alt, ctrlKey, metaKey } = report;
  const press = { ...where, key, code, alt, ctrl: ctrlKey || metaKey };
  switch (meaning.kind) {
    case "text": {
      // With a modifier, the typed character counts, not the key's position.
      const isModified = alt || ctrlKey || report.isAltGraph;
      return {
        ...press,
        key: meaning.text,
        code: isModified ? "" : code,
        alt: false,
        ctrl: false,
      };
    }
    case "digit": {
      const isOther = !/^\p{Nd}$/u.test(key);
      return { ...press, key: meaning.digit, ...(isOther && { typed: key }) };
    }
    case "shortcut":
      return { ...press, alt: true, ctrl: false };
    default:
      return press;
  }
}

/** Returns the kind of input that a step expects outside its field. */
export function expectedIn({
  typing,
  holdsName = false,
  takesNumber = false,
}: Pick<StepControl, "typing" | "holdsName" | "takesNumber">): ExpectedInput {
  switch (typing) {
    case "digits":
    case "amount":
      return "digits";
    case "number":
      return holdsName ? "text" : "number";
    case "search":
      return "search";
    case "words":
      return takesNumber ? "number" : "text";
    case "none":
      return "keys";
  }
}

export interface KeyPlace {
  readonly typing: Typing;
  readonly confirming: boolean;
  readonly hasEntry?: boolean;
  readonly takesCash?: boolean;
  readonly canPrint?: boolean;
  /** True (default) if single characters outside text are shortcuts. */
  readonly singleKeys?: boolean;
  readonly hasTabs: boolean;
  /** True directly after a letter, where a digit belongs to the word. */
  readonly isInWord?: boolean;
  readonly picksDigit?: (digit: string) => boolean;
}

interface PlainIntent {
  readonly do:
    | "proceed"
    | "undo"
    | "erase"
    | "open-others"
    | "open-own"
    | "print"
    | "name-number"
    | "next-language"
    | "send-receipt"
    | "customer-refund"
    | "hold"
    | "zero"
    | "sell-again"
    | "keep-line";
}

export type CounterIntent =
  | PlainIntent
  | { readonly do: "family"; readonly family: Family }
  | { readonly do: "remove-line"; readonly index: number }
  | { readonly do: "type"; readonly text: string }
  | { readonly do: "pick"; readonly index: number }
  | { readonly do: "letter"; readonly letter: string }
  | { readonly do: "move"; readonly step: -1 | 1 }
  | { readonly do: "move-to"; readonly end: "first" | "last" }
  | { readonly do: "turn-tab"; readonly step: -1 | 1 }
  | { readonly do: "turn-page"; readonly step: -1 | 1 };

/**
 * The counter's only key table (rules#key-one-table).
 * @returns undefined if the browser handles the key
 */
export function readCounterKey(
  { key: typed, ...rest }: KeyPress,
  place: KeyPlace,
): CounterIntent | undefined {
  const press = { ...rest, key: latinDigits(typed) };
  if (press.ctrl) {
    return undefined;
  }
  if (press.alt) {
    const intent = readAlt(press.code);
    return press.isInText && intent && BOOKING.has(intent.do) ? undefined : intent;
  }
  const family = familyOfKey(press.key);
  if (family) {
    return { do: "family", family };
  }
  const intent = readPlain(press, place);
  const isOff = place.singleKeys === false && [...press.key].length === 1;
  return isOff && intent?.do !== "type" ? undefined : intent;
}

const BOOKING: ReadonlySet<CounterIntent["do"]> = new Set(["remove-line", "customer-refund"]);

const WITH_ALT: Readonly<Record<string, PlainIntent["do"]>> = {
  KeyC: "open-others",
  KeyI: "open-own",
  KeyG: "customer-refund",
  KeyH: "hold",
  KeyL: "next-language",
  KeyN: "name-number",
  KeyP: "print",
  KeyS: "send-receipt",
};

/** Alt shortcuts are the same in every step, even while text is typed. */
function readAlt(code: string): CounterIntent | undefined {
  const digit = /^Digit([1-9])$/.exec(code)?.[1];
  if (digit) {
    return { do: "remove-line", index: Number(digit) - 1 };
  }
  const named = WITH_ALT[code];
  return named && { do: named };
}

function readPlain(press: KeyPress, place: KeyPlace): CounterIntent | undefined {
  switch (press.key) {
    case "Enter":
      return { do: "proceed" };
    case "F8":
      return place.confirming && !place.hasEntry ? { do: "sell-again" } : undefined;
    case "+":
      return readPlus(press, place);
    case "Escape":
      return { do: "undo" };
    case "ArrowDown":
      return { do: "move", step: 1 };
    case "ArrowUp":
      return { do: "move", step: -1 };
    case "PageDown":
      return { do: "turn-page", step: 1 };
    case "PageUp":
      return { do: "turn-page", step: -1 };
    case "ArrowRight":
    case "ArrowLeft":
      return readSideways(press, place);
    case "Home":
    case "End":
      return press.inField || place.confirming
        ? undefined
        : { do: "move-to", end: press.key === "Home" ? "first" : "last" };
    case "Backspace":
      return press.inField ? undefined : { do: place.typing === "none" ? "undo" : "erase" };
    default:
      return readCharacter(press, place);
  }
}

/**
 * Moves through the tabs, or through the tiles if there are no tabs. In a field, the arrow keys
 * move the caret.
 */
function readSideways({ key, rtl, inField }: KeyPress, place: KeyPlace): CounterIntent | undefined {
  const step = key === (rtl ? "ArrowLeft" : "ArrowRight") ? 1 : -1;
  if (place.hasTabs) {
    return { do: "turn-tab", step };
  }
  const hasTiles = place.typing === "none" || place.typing === "search";
  return hasTiles && !inField && !place.confirming ? { do: "move", step } : undefined;
}

/** The number field handles its own "+". */
function readPlus({ inField }: KeyPress, { confirming, typing, hasEntry }: KeyPlace) {
  if (typing === "words") {
    return inField ? undefined : ({ do: "type", text: "+" } as const);
  }
  if (confirming && !hasEntry) {
    return { do: "keep-line" } as const;
  }
  return typing === "number" && !inField ? ({ do: "type", text: "+" } as const) : undefined;
}

function readCharacter(
  { key, code, inField }: KeyPress,
  { typing, confirming, canPrint = false, picksDigit, isInWord = false }: KeyPlace,
): CounterIntent | undefined {
  const own: CounterIntent | undefined = inField ? undefined : { do: "type", text: key };
  const isDigit = /^[0-9]$/.test(key);
  const isLetter = /^\p{L}$/u.test(key);
  switch (typing) {
    case "digits":
      if (isDigit) {
        return own;
      }
      return !confirming && isPrintKey({ key, code }) ? { do: "print" } : letterOf({ key, code });
    case "number":
      if (isLetter && canPrint && isPrintKey({ key, code })) {
        return { do: "print" };
      }
      if (isDigit && picksDigit?.(key)) {
        return pickOf(key);
      }
      return isDigit || isLetter ? own : undefined;
    case "amount":
      return isDigit || /^[.,%٪]$/.test(key) ? own : letterOf({ key, code });
    case "search":
      return isLetter || (isDigit && isInWord) ? own : pickOf(key);
    case "words":
      return [...key].length === 1 ? own : undefined;
    case "none":
      if (isDigit) {
        return isInWord ? undefined : pickOf(key);
      }
      return letterOf({ key, code });
  }
}

function pickOf(digit: string): CounterIntent | undefined {
  if (!/^[0-9]$/.test(digit)) {
    return undefined;
  }
  return digit === "0" ? { do: "zero" } : { do: "pick", index: Number(digit) - 1 };
}

/**
 * Returns the Latin letter at the key's position, so that shortcuts are the same on all layouts.
 */
function letterOf({ key, code }: Pick<KeyPress, "key" | "code">): CounterIntent | undefined {
  if (!/^\p{L}$/u.test(key)) {
    return undefined;
  }
  const latin = /^[a-z]$/i.test(key) ? key : (/^Key([A-Z])$/.exec(code)?.[1] ?? key);
  return { do: "letter", letter: latin.toLowerCase() };
}
