import { latinDigits } from "./direction.ts";
import { Listeners } from "./listeners.ts";

export interface KeyReport {
  readonly key: string;
  /** Physical key, named after its position on a US keyboard. */
  readonly code: string;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  /** True if AltGr is held: Linux reports only this modifier, Windows also Ctrl and Alt. */
  readonly isAltGraph: boolean;
  readonly isComposing: boolean;
  /**
   * 229 while an input method reads the key, even for the Enter that ends a composition in Safari.
   */
  readonly keyCode: number;
}

/**
 * Expected input of the focused control: an amount or PIN ("digits"), a phone number ("number"),
 * letters that search while digits pick ("search"), words ("text"), or single keys without a
 * focused field ("keys").
 */
export type ExpectedInput = "digits" | "number" | "search" | "text" | "keys";

/** The meaning of a key event (rules#key-one-meaning). */
export type KeyMeaning =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "digit"; readonly digit: string }
  /** Alt with a key that writes no character; `code` is the physical key. */
  | { readonly kind: "shortcut"; readonly code: string }
  | { readonly kind: "confirm" }
  /** A named key, such as Escape, F8 or an arrow key. */
  | { readonly kind: "command"; readonly key: string }
  /** A modifier, a part of an Alt code, or a shortcut of the browser or the system. */
  | { readonly kind: "ignored" }
  /** An input method reads the key, and writes its text later. */
  | { readonly kind: "composing" }
  /** A key whose character the browser does not report. */
  | { readonly kind: "unread" };

/**
 * Returns the character that a key types, with digits as Latin digits; undefined for other keys.
 */
export function signOf(meaning: KeyMeaning): string | undefined {
  if (meaning.kind === "digit") {
    return meaning.digit;
  }
  return meaning.kind === "text" ? meaning.text : undefined;
}

const IGNORED: KeyMeaning = { kind: "ignored" };

export const MODIFIERS: ReadonlySet<string> = new Set([
  "Shift",
  "CapsLock",
  "NumLock",
  "ScrollLock",
  "Alt",
  "AltGraph",
  "Control",
  "Meta",
  "Fn",
]);

export function readKey(report: KeyReport, expected: ExpectedInput, isMac = false): KeyMeaning {
  const { key, code } = report;
  if (isOfComposition(report)) {
    return { kind: "composing" };
  }
  if (MODIFIERS.has(key)) {
    return IGNORED;
  }
  const isCharacter = [...key].length === 1;
  if (isMac && report.ctrlKey && report.altKey && !report.metaKey) {
    // On a Mac, Option writes a character with almost every key.
    return { kind: "shortcut", code };
  }
  if (report.isAltGraph || (report.ctrlKey && report.altKey)) {
    return isCharacter ? { kind: "text", text: key } : IGNORED;
  }
  if (report.ctrlKey || report.metaKey) {
    return IGNORED;
  }
  if (report.altKey) {
    return readAlt(report, expected, isMac);
  }
  const onKeypad = readKeypad(report);
  if (onKeypad !== undefined) {
    return /\d/.test(onKeypad)
      ? { kind: "digit", digit: onKeypad }
      : { kind: "text", text: onKeypad };
  }
  if (key === "Enter") {
    return { kind: "confirm" };
  }
  if (UNREAD.has(key)) {
    return { kind: "unread" };
  }
  if (!isCharacter) {
    return { kind: "command", key };
  }
  const latin = latinDigits(key);
  const digit = /^\d$/.test(latin) ? latin : readPlace(report, expected);
  return digit === undefined ? { kind: "text", text: latin } : { kind: "digit", digit };
}

/**
 * Returns whether an input method reads the key: such a key has no action, and neither has the
 * Enter that ends the composition.
 */
function isOfComposition({
  key,
  isComposing,
  keyCode,
}: Pick<KeyReport, "key" | "isComposing" | "keyCode">): boolean {
  return isComposing || keyCode === 229 || key === "Process";
}

/**
 * Keys without a known character. A dead key writes together with the next key. "Clear" is the 5 of
 * a keypad without a key code.
 */
const UNREAD: ReadonlySet<string> = new Set(["Dead", "Unidentified", "Clear"]);

/**
 * Reads a key pressed with Alt. On Windows, Alt with keypad digits types a character by its number.
 */
function readAlt(report: KeyReport, expected: ExpectedInput, isMac: boolean): KeyMeaning {
  const { key, code } = report;
  if (code.startsWith("Numpad")) {
    return IGNORED;
  }
  const isInField = expected !== "keys";
  if (key === "Dead" || UNREAD.has(key)) {
    return isInField ? IGNORED : { kind: "shortcut", code };
  }
  if ([...key].length !== 1) {
    return IGNORED;
  }
  const writes = isMac || !isBareKey(key, code);
  return isInField && writes ? { kind: "text", text: key } : { kind: "shortcut", code };
}

/** Top row of French keyboards without Shift; Belgian keyboards differ in two keys. */
const TOP_ROW = { 1: "&", 2: "é", 3: '"', 4: "'", 5: "(", 6: "-", 7: "è", 8: "_", 9: "ç", 0: "à" };
const OTHER_SCRIPT = /^\p{L}$/u;
const LATIN = /\p{Script=Latin}/u;

/** Returns whether Alt left the character unchanged: such a combination writes nothing. */
function isBareKey(key: string, code: string): boolean {
  const digit = /^Digit(?<digit>\d)$/.exec(code)?.groups?.digit;
  if (digit !== undefined) {
    return /^\d$/.test(latinDigits(key)) || TOP_ROW[Number(digit) as keyof typeof TOP_ROW] === key;
  }
  return /^[a-z]$/i.test(key) || (OTHER_SCRIPT.test(key) && !LATIN.test(key));
}

/** Keys of a keypad with NumLock off, or with Shift on Windows. */
const KEYPAD_NAVIGATION: ReadonlySet<string> = new Set([
  "Insert",
  "End",
  "ArrowDown",
  "PageDown",
  "ArrowLeft",
  "Clear",
  "ArrowRight",
  "Home",
  "ArrowUp",
  "PageUp",
  "Unidentified",
]);

/**
 * Returns the digit or point of a keypad key that reports a navigation key or Delete, because
 * NumLock is off.
 */
export function readKeypad({ key, code }: Pick<KeyReport, "key" | "code">): string | undefined {
  const digit = /^Numpad(?<digit>\d)$/.exec(code)?.groups?.digit;
  if (digit !== undefined) {
    return KEYPAD_NAVIGATION.has(key) ? digit : undefined;
  }
  return code === "NumpadDecimal" && key === "Delete" ? "." : undefined;
}

/**
 * Characters of the top row that never mean a digit: written without Shift on some keyboards, or by
 * a program that types a percentage without reporting Shift.
 */
const NO_DIGIT = /^[+%*=@#€£$¥¤{}[\]|\\~^`´¨¬¹²³öÖ]$/;

/**
 * Returns the digit of a top-row key that writes a different character without Shift, as on French
 * keyboards. This also covers a scanner that types as on a US keyboard.
 */
function readPlace(
  { key, code, shiftKey }: KeyReport,
  expected: ExpectedInput,
): string | undefined {
  if (expected === "text" || shiftKey || NO_DIGIT.test(key)) {
    return undefined;
  }
  return /^Digit(?<digit>\d)$/.exec(code)?.groups?.digit;
}

const IN_AMOUNT = /[\d.,%'’٬\p{Zs}\p{Sc}\p{Cf}]/gu;
const IN_NUMBER = /[+()/\-–]/g;

export function isReadable(text: string, expected: ExpectedInput): boolean {
  const rest = latinDigits(text).replaceAll(IN_AMOUNT, "");
  return (expected === "number" ? rest.replaceAll(IN_NUMBER, "") : rest) === "";
}

/**
 * Records that a key in an amount or PIN was not understood: the next Enter, or button that uses
 * the text, is ignored (rules#key-unread-stops).
 */
export class UnreadKeys {
  #state: "none" | "composing" | "unread" | "told" = "none";
  #stoppedAt = Number.NEGATIVE_INFINITY;
  readonly #listeners = new Listeners();
  readonly subscribe = this.#listeners.subscribe;

  get isShown(): boolean {
    return this.#state === "unread" || this.#state === "told";
  }

  get mayStop(): boolean {
    return this.#state !== "none" || this.#stoppedAt !== Number.NEGATIVE_INFINITY;
  }

  press(meaning: KeyMeaning): void {
    if (meaning.kind === "unread") {
      this.#set("unread");
    } else if (meaning.kind === "composing" && this.#state !== "unread") {
      this.#set("composing");
    } else if (this.#state === "told" && meaning.kind !== "confirm" && meaning.kind !== "ignored") {
      this.#set("none");
    }
  }

  /**
   * Records that the browser wrote into the field. `isReadable` states whether all of the text was
   * understood.
   */
  write(isReadable: boolean): void {
    if (!isReadable) {
      this.#set("unread");
    } else if (this.#state === "composing") {
      this.#set("none");
    }
  }

  /** Returns whether an action must be stopped; `at` is its time in milliseconds. */
  stops(at: number, quickMs: number): boolean {
    if (this.#state === "unread" || this.#state === "composing") {
      this.#stoppedAt = at;
      this.#set("told");
      return true;
    }
    const isSoon = at >= this.#stoppedAt && at - this.#stoppedAt <= quickMs;
    if (!isSoon) {
      this.forget();
    }
    return isSoon;
  }

  forget(): void {
    this.#stoppedAt = Number.NEGATIVE_INFINITY;
    this.#set("none");
  }

  #set(state: "none" | "composing" | "unread" | "told"): void {
    if (state !== this.#state) {
      this.#state = state;
      this.#listeners.notify();
    }
  }
}
