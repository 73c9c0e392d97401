import type { Direction } from "./visual-text.ts";

const LEFT_TO_RIGHT_ISOLATE = "\u2066";
const FIRST_STRONG_ISOLATE = "\u2068";
const POP_ISOLATE = "\u2069";
const LEADING_MARKS = /^[\u061c\u200e\u200f]+/;

/** Keeps a text whole among words that run from right to left. */
export class IsolatedText {
  readonly #direction: Direction;

  constructor(direction: Direction) {
    this.#direction = direction;
  }

  /** As people wrote it. */
  text(text: string): string {
    return this.#within(FIRST_STRONG_ISOLATE, text);
  }

  /** A number, account or amount, which runs from left to right in every language. */
  number(text: string): string {
    return this.#direction === "rtl"
      ? this.#within(LEFT_TO_RIGHT_ISOLATE, text.replace(LEADING_MARKS, ""))
      : text;
  }

  #within(start: string, text: string): string {
    return this.#direction === "ltr" || text === "" ? text : start + text + POP_ISOLATE;
  }
}
