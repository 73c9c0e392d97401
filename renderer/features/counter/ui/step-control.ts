import type { Translate } from "../../../lib/i18n.ts";

/**
 * Meaning of typed characters in a step: digits, a number or the letters of a customer's name, an
 * amount, search letters while digits pick, text of a field, or no text.
 */
export type Typing = "digits" | "number" | "amount" | "search" | "words" | "none";

/**
 * The meaning of the next keys depends on a pending answer. With "here", the keys pick from the
 * answer in this step. With "next", the keys belong to the step that Enter opens after the answer.
 */
export type Waits = "here" | "next";

export interface NextThing {
  readonly label: string;
  readonly ready: boolean;
  /** Reason shown on Enter while the step is not complete. */
  readonly missing?: string;
}

/** Keyboard actions of the open step. The step has no key for an action that is not set. */
export interface StepControl {
  readonly typing: Typing;
  readonly next: NextThing;
  readonly waits?: Waits;
  /**
   * Keys typed before this step was visible are ignored, because nobody can know its question
   * beforehand (rules#key-typed-ahead).
   */
  readonly confirmsFirst?: true;
  /** The content could not be loaded: Enter repeats the query. */
  readonly asksAgain?: true;
  /** The field contains a number, which keys typed after Enter must not change. */
  readonly holdsNumber?: boolean;
  /** The step's field of words takes a number: digits come from the position of their key. */
  readonly takesNumber?: boolean;
  /** A name is being typed: letters are no shortcuts. */
  readonly holdsName?: boolean;
  proceed(): void;
  type?(edit: (text: string) => string): void;
  /**
   * The name of the item that Enter would take differs from the typed words. Enter takes the item
   * only after the clerk could see it.
   */
  readonly needsLook?: boolean;
  /**
   * Returns whether a digit after the current text picks an item, in a field where digits may also
   * be text.
   */
  picksDigit?(digit: string): boolean;
  pick?(index: number): void;
  zero?(): void;
  /** Handles a letter key. `letter` is lower case. */
  letter?(letter: string): void;
  /** Letters that are shortcuts in a payment step; other letters are text. */
  readonly letters?: readonly string[];
  move?(step: -1 | 1): void;
  /** Moves to the first or the last item of the list that `move` goes through. */
  moveTo?(end: "first" | "last"): void;
  turnTab?(step: -1 | 1): void;
  turnPage?(step: -1 | 1): void;
}

export interface StepWords {
  readonly t: Translate;
  /** Minor units of the shop's currency. */
  readonly inShop: (minor: number) => string;
  /** As `inShop`, but without the decimals of a whole amount. */
  readonly inShopShort: (minor: number) => string;
  /** Translates the contents of an offer from its title. */
  readonly contents: (title: string) => string;
  /** Name of a country by its ISO 3166-1 alpha-2 code. */
  readonly country: (code: string) => string;
}
