import type { KeyReport } from "../key-meaning.ts";

export const PLAIN_KEY: KeyReport = {
  key: "",
  code: "",
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  isAltGraph: false,
  isComposing: false,
  keyCode: 0,
};

/** Keys that a keypad reports for 0 to 9 while NumLock is off. */
export const KEYPAD_KEYS = [
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
] as const;
