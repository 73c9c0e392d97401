/** Entry point of key events: every handler reads a key by its meaning. */
import { useSyncExternalStore } from "react";
import {
  type ExpectedInput,
  isReadable,
  type KeyMeaning,
  type KeyReport,
  readKey,
  readKeypad,
  UnreadKeys,
} from "./key-meaning.ts";
import { SAME_NUMBER_MS } from "./same-number.ts";
import { takesText } from "./single-keys.ts";

export function expects(expected: Exclude<ExpectedInput, "keys">) {
  return { "data-expects": expected } as const;
}

const NUMERIC = "[inputmode=numeric], [inputmode=decimal], [data-pin-field]";

export function expectedBy(target: EventTarget | null): ExpectedInput {
  if (!(target instanceof HTMLElement && takesText(target))) {
    return "keys";
  }
  const named = target.dataset.expects;
  if (named !== undefined) {
    return named as ExpectedInput;
  }
  return target.matches(NUMERIC) ? "digits" : "text";
}

export function meaningOf(
  event: KeyboardEvent,
  expected: ExpectedInput = expectedBy(event.target),
): KeyMeaning {
  return readKey(reportOf(event), expected, isMac());
}

/**
 * Returns the key code of a shortcut, such as "KeyG". Undefined for other keys, and for a key that
 * types a character.
 */
export function shortcutOf(event: KeyboardEvent): string | undefined {
  const meaning = meaningOf(event);
  return meaning.kind === "shortcut" ? meaning.code : undefined;
}

export function isPaletteKey(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey) && !event.altKey && event.code === "KeyK";
}

/** Returns whether a key types text. Such a key must not book money or remove a line. */
export function isTypingText({ target }: Event): boolean {
  const expected = expectedBy(target);
  if (expected === "text") {
    return true;
  }
  const isOpen = expected === "number" || expected === "search";
  return isOpen && (target as HTMLInputElement).value !== "";
}

export function reportOf(event: KeyboardEvent): KeyReport {
  const { key, code, altKey, ctrlKey, metaKey, shiftKey, isComposing, keyCode } = event;
  const isAltGraph = event.getModifierState?.("AltGraph") ?? false;
  return { key, code, altKey, ctrlKey, metaKey, shiftKey, isComposing, keyCode, isAltGraph };
}

function isMac(): boolean {
  return navigator.platform.startsWith("Mac");
}

const unreadKeys = new UnreadKeys();
/** Field in which the last keys were read. */
let keysOf: EventTarget | null = null;

/** Records an unreadable key on a screen where an amount or a PIN is typed without a field. */
export function markUnread(): void {
  keysOf = null;
  unreadKeys.press({ kind: "unread" });
}

export function useUnreadKeys(): boolean {
  return useSyncExternalStore(unreadKeys.subscribe, () => unreadKeys.isShown);
}

const followed = new WeakSet<Document>();

/** Reads every key of the page before any other code; called once per page. */
export function followKeys(): void {
  if (!followed.has(document)) {
    followed.add(document);
    globalThis.addEventListener("keydown", enter, { capture: true });
    globalThis.addEventListener("input", onInput, { capture: true });
    globalThis.addEventListener("keydown", writeDigit);
    globalThis.addEventListener("pointerdown", onPointerDown, { capture: true });
    globalThis.addEventListener("click", onClick, { capture: true });
    globalThis.addEventListener("focusin", onFocus);
  }
}

followKeys();

function enter(event: KeyboardEvent): void {
  const expected = expectedBy(event.target);
  const meaning = meaningOf(event, expected);
  if (event.ctrlKey && event.code === "KeyJ") {
    // Ctrl+J is a scanner's line feed, but opens the downloads of a browser.
    event.preventDefault();
  }
  if (meaning.kind === "composing") {
    if (!event.isComposing && event.key === "Enter") {
      event.preventDefault();
    }
    event.stopImmediatePropagation();
  } else if (event.altKey && event.code.startsWith("Numpad")) {
    event.stopImmediatePropagation();
  } else if (!event.altKey && !event.ctrlKey && !event.metaKey) {
    translateKeypad(event);
  }
  if (expected === "digits") {
    unreadKeys.press(meaning);
    keysOf = event.target;
  }
  if (keysOf instanceof Node && !keysOf.isConnected) {
    keysOf = null;
    unreadKeys.forget();
  }
  if (meaning.kind === "confirm" && showsUnread(event.target)) {
    unreadKeys.forget();
  }
  const isAction = meaning.kind === "confirm" || event.key === "F8";
  if (!(isAction && stopUnread(event)) && event.key === "Escape") {
    unreadKeys.forget();
  }
}

function stopUnread(event: Event): boolean {
  const isStopped = unreadKeys.mayStop && unreadKeys.stops(event.timeStamp, SAME_NUMBER_MS);
  if (isStopped) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
  return isStopped;
}

const TAKES_INPUT = "[data-primary], [data-sells], [type=submit]";

function isOf({ target }: Event, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null;
}

/** Forgets unreadable keys when a button sets an amount, or leads to another screen. */
function onPointerDown(event: PointerEvent): void {
  if (isOf(event, "button, a, [role=button]") && !isOf(event, TAKES_INPUT)) {
    unreadKeys.forget();
  }
}

/**
 * Stops a button that uses the typed text if a key was not understood. Enter is stopped in the same
 * way.
 */
function onClick(event: MouseEvent): void {
  if (!isOf(event, TAKES_INPUT)) {
    return;
  }
  if (showsUnread(keysOf)) {
    unreadKeys.forget();
  }
  stopUnread(event);
}

/**
 * Returns whether a field shows an unreadable text. The field itself reports the error on Enter.
 */
function showsUnread(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && !isReadable(target.value, "digits");
}

/** Translates keypad keys for foreign components, which read `key` themselves. */
function translateKeypad(event: KeyboardEvent): void {
  const typed = readKeypad(event);
  if (typed !== undefined) {
    Object.defineProperty(event, "key", { value: typed });
    translated.add(event);
  }
}

const translated = new WeakSet<Event>();

function onFocus({ target }: FocusEvent): void {
  if (unreadKeys.mayStop && takesText(target) && keysOf !== null && keysOf !== target) {
    unreadKeys.forget();
  }
}

/** Writes a digit that the browser would not write, unless a handler used the key. */
function writeDigit(event: KeyboardEvent): void {
  const { target } = event;
  const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  if (event.defaultPrevented || !isField || !takesText(target)) {
    return;
  }
  const expected = expectedBy(target);
  const meaning = meaningOf(event, expected);
  const isTranslated = translated.has(event);
  const isOther = meaning.kind === "digit" && meaning.digit !== event.key;
  if (isTranslated || (isOther && (expected === "digits" || expected === "number"))) {
    event.preventDefault();
    insertAtCaret(target, meaning.kind === "digit" ? meaning.digit : event.key);
  }
}

function insertAtCaret(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  const { value, selectionStart, selectionEnd, maxLength, readOnly } = field;
  const start = selectionStart ?? value.length;
  const end = selectionEnd ?? value.length;
  const isFull = maxLength >= 0 && value.length - (end - start) >= maxLength;
  if (readOnly || isFull) {
    return;
  }
  if (selectionStart === null) {
    // Scripts cannot move the caret of a number or e-mail field.
    document.execCommand("insertText", false, text);
    return;
  }
  field.setRangeText(text, start, end, "end");
  field.dispatchEvent(
    new InputEvent("input", { bubbles: true, data: text, inputType: "insertText" }),
  );
}

function onInput({ target }: Event): void {
  const expected = expectedBy(target);
  if (expected === "digits" && target instanceof HTMLInputElement) {
    unreadKeys.write(isReadable(target.value, expected));
    // No key reports pasted or autofilled text, so it is recorded here.
    keysOf = target;
  }
}
