import { useSyncExternalStore } from "react";
import { startsByTouch } from "./key-hints.ts";
import { Listeners } from "./listeners.ts";

const TYPED_INTO =
  'textarea, input:is([type="text"], [type="search"], [type="email"], [type="url"], [type="tel"], [type="password"], :not([type]))';

/**
 * Returns whether the device has its own on-screen keyboard, as phones and tablets do. A till with
 * a touch screen may have none.
 */
function hasOwnKeyboard({ userAgent, maxTouchPoints }: Navigator = navigator): boolean {
  const isTablet = /Macintosh/.test(userAgent) && maxTouchPoints > 1;
  return isTablet || /Android|iPhone|iPad/.test(userAgent);
}

interface Typing {
  readonly field: HTMLInputElement | HTMLTextAreaElement;
  readonly keys: "letters" | "digits";
  readonly mode: string;
}

let typing: Typing | undefined;
let byFinger = false;
const listeners = new Listeners();

function set(next: Typing | undefined): void {
  typing = next;
  listeners.notify();
}

export function useTyping(): Typing | undefined {
  return useSyncExternalStore(listeners.subscribe, () => typing);
}

export function stopTyping(): void {
  set(undefined);
}

export function typeLetters(field: HTMLInputElement): void {
  if (hasOwnKeyboard()) {
    // The device's keyboard changes to letters only when the field is entered again.
    field.blur();
    field.inputMode = "text";
    field.focus();
    return;
  }
  field.focus({ preventScroll: true });
  set({ field, keys: "letters", mode: "text" });
}

function begin(target: EventTarget | null): void {
  const isField = target instanceof HTMLElement && target.matches(TYPED_INTO);
  const field = target as Typing["field"];
  // A step with its own keypad suppresses the keyboard of its field.
  if (!isField || field.readOnly || field.disabled || field.inputMode === "none") {
    return;
  }
  const mode = field.inputMode || (field.type === "tel" ? "tel" : "text");
  set({
    field,
    mode,
    keys: ["numeric", "decimal", "tel"].includes(mode) ? "digits" : "letters",
  });
}

/** Tracks the touched field. If the device has no keyboard, the till shows its own keyboard. */
export function followTyping(): () => void {
  if (hasOwnKeyboard()) {
    return () => {};
  }
  byFinger = startsByTouch();
  const onPointer = ({ pointerType }: PointerEvent) => {
    byFinger = pointerType === "touch" || pointerType === "pen";
    if (!byFinger) {
      set(undefined);
    }
  };
  // Waits for the click, the last event of a touch: if the layout moved earlier, the finger would
  // press another element instead of the field.
  const onClick = ({ target }: MouseEvent) => {
    if (byFinger && target === document.activeElement) {
      begin(target);
    }
  };
  const onFocus = ({ target }: FocusEvent) => {
    if (byFinger && isMeant(target)) {
      begin(target);
    }
  };
  const onLeave = () => {
    // The focus may be moving to the next field.
    setTimeout(() => {
      if (typing && document.activeElement !== typing.field) {
        set(undefined);
      }
    });
  };
  const onKey = ({ isTrusted, key }: KeyboardEvent) => {
    if (isTrusted && key !== "Unidentified") {
      byFinger = false;
      set(undefined);
    }
  };
  window.addEventListener("pointerdown", onPointer, true);
  window.addEventListener("click", onClick, true);
  window.addEventListener("focusin", onFocus);
  window.addEventListener("focusout", onLeave);
  window.addEventListener("keydown", onKey, true);
  return () => {
    window.removeEventListener("pointerdown", onPointer, true);
    window.removeEventListener("click", onClick, true);
    window.removeEventListener("focusin", onFocus);
    window.removeEventListener("focusout", onLeave);
    window.removeEventListener("keydown", onKey, true);
  };
}

/**
 * Returns whether typing is intended. A field above tiles opens the keyboard only when it is
 * touched.
 */
function isMeant(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && !target.matches("[data-seldom-typed]");
}
