import { useSyncExternalStore } from "react";
import { startsByTouch } from "./key-hints.ts";

/** Fields that letters or digits are typed into. */
const TYPED_INTO =
  'textarea, input:is([type="text"], [type="search"], [type="email"], [type="url"], [type="tel"], [type="password"], :not([type]))';

/** Telephones and tablets bring a keyboard of their own, a till with a touch screen may have none. */
function hasOwnKeyboard({ userAgent, maxTouchPoints }: Navigator = navigator): boolean {
  const isTablet = /Macintosh/.test(userAgent) && maxTouchPoints > 1;
  return isTablet || /Android|iPhone|iPad/.test(userAgent);
}

/** The field that a finger types into with the keyboard on the screen. */
interface Typing {
  readonly field: HTMLInputElement | HTMLTextAreaElement;
  readonly keys: "letters" | "digits";
  readonly mode: string;
}

let typing: Typing | undefined;
let byFinger = false;
const listeners = new Set<() => void>();

function set(next: Typing | undefined): void {
  typing = next;
  for (const listener of listeners) {
    listener();
  }
}

export function useTyping(): Typing | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => typing,
  );
}

export function stopTyping(): void {
  set(undefined);
}

/** Letters for a field whose own keys are digits. */
export function typeLetters(field: HTMLInputElement): void {
  if (hasOwnKeyboard()) {
    // It comes up for the letters once the field is entered anew.
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
  // Where a step has a keypad of its own, its field asks for no keyboard.
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

/** Follows which field is touched. Without a keyboard of its own, the till draws one meanwhile. */
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
  // The last of what a touch brings: what moves now is not pressed in place of the field.
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
    // The focus may only be on its way to the next field.
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

/** A field that takes the focus by itself above tiles is seldom typed into: it is touched first. */
function isMeant(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && !target.matches("[data-seldom-typed]");
}
