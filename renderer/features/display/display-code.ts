import {
  DISPLAY_CODE_LENGTH,
  DISPLAY_CODE_LETTERS,
} from "../../../server/contract/pos/displays.ts";

const STORAGE_KEY = "tillgate.display-code";

/** Returns undefined if the till has no display. */
export function findDisplayCode(): string | undefined {
  const stored = localStorage.getItem(STORAGE_KEY) ?? "";
  return readDisplayCode(stored);
}

/** Replaces the code, so that displays with the old code show nothing. */
export function renewDisplayCode(): string {
  const code = Array.from(
    { length: DISPLAY_CODE_LENGTH },
    () => DISPLAY_CODE_LETTERS[randomBelow(DISPLAY_CODE_LETTERS.length)],
  ).join("");
  localStorage.setItem(STORAGE_KEY, code);
  return code;
}

export function forgetDisplayCode(): void {
  localStorage.removeItem(STORAGE_KEY);
}

/** Ignores case and separators. Returns undefined if the text is no code. */
export function readDisplayCode(typed: string): string | undefined {
  const code = typed.toUpperCase().replaceAll(/[^0-9A-Z]/g, "");
  const isCode = [...code].every((letter) => DISPLAY_CODE_LETTERS.includes(letter));
  return isCode && code.length === DISPLAY_CODE_LENGTH ? code : undefined;
}

export function groupDisplayCode(code: string): string {
  return `${code.slice(0, 4)} ${code.slice(4)}`;
}

/**
 * Discards random bytes above the largest multiple of `limit`, because their remainders would
 * favour small numbers.
 */
function randomBelow(limit: number): number {
  const rounds = Math.floor(256 / limit) * limit;
  for (;;) {
    const drawn = crypto.getRandomValues(new Uint8Array(1))[0] ?? 0;
    if (drawn < rounds) return drawn % limit;
  }
}
