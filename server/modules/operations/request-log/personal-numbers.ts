import { shorten } from "./masked-text.ts";

const MIN_DIGITS = 6;
/** Number of equal consecutive digits by which a longer number is recognised. */
const WINDOW = 7;
/** Digits with the separators that are usual in written numbers. */
const WRITTEN_NUMBER = /\d(?:[ .()-]{0,2}\d){5,}/g;

/**
 * The personal numbers of one request. Providers repeat them in their messages, with separators or
 * without the country's code.
 */
export class PersonalNumbers {
  readonly #windows = new Set<string>();

  add(text: string): void {
    for (const window of toWindows(text)) this.#windows.add(window);
  }

  /** Shortens the numbers in a text. */
  hide(text: string): string {
    if (this.#windows.size === 0) return text;
    return text.replaceAll(WRITTEN_NUMBER, (written) =>
      toWindows(written).some((window) => this.#windows.has(window)) ? shorten(written) : written,
    );
  }

  /** Returns the JSON of a value, with the numbers in its texts shortened. */
  toJson(value: unknown): string {
    return JSON.stringify(value, (_name, inner: unknown) => {
      if (typeof inner !== "string" && typeof inner !== "number") return inner;
      const text = String(inner);
      const hidden = this.hide(text);
      return hidden === text ? inner : hidden;
    });
  }
}

function toWindows(text: string): string[] {
  const digits = text.replaceAll(/\D/g, "");
  if (digits.length < MIN_DIGITS) return [];
  const count = Math.max(1, digits.length - WINDOW + 1);
  return Array.from({ length: count }, (_, first) => digits.slice(first, first + WINDOW));
}
