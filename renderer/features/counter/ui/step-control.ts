import type { Translate } from "../../../lib/i18n.ts";

/**
 * Meaning of typed characters: digits, a number or letters of a name, an amount, search letters
 * while digits pick, a field's text, or nothing.
 */
export type Typing = "digits" | "number" | "amount" | "search" | "words" | "none";

/**
 * Set while a pending answer decides the meaning of the next keys. "here": they pick from the
 * answer in this step. "next": they belong to the step that Enter opens after the answer.
 */
export type Waits = "here" | "next";

export interface NextThing {
  readonly label: string;
  readonly ready: boolean;
  /** Shown on Enter while the step is incomplete. */
  readonly missing?: string;
}

/** Keyboard actions of the current step. */
export interface StepControl {
  readonly typing: Typing;
  readonly next: NextThing;
  readonly waits?: Waits;
  /**
   * True if keys typed before the step was visible are ignored, because the clerk cannot know its
   * question beforehand (rules#key-typed-ahead).
   */
  readonly confirmsFirst?: true;
  /** True if the content could not be loaded. Enter repeats the query. */
  readonly asksAgain?: true;
  /** True if the field contains a number, which keys typed after Enter must not change. */
  readonly holdsNumber?: boolean;
  /** True if the text field of the step takes a number: digits are read from the key's position. */
  readonly takesNumber?: boolean;
  /** True while a name is typed, so that letters are no shortcuts. */
  readonly holdsName?: boolean;
  proceed(): void;
  type?(edit: (text: string) => string): void;
  /**
   * True if the item's name differs from the typed words. Enter takes the item only after the clerk
   * could see it.
   */
  readonly needsLook?: boolean;
  /** Returns whether a digit picks an item, in a field where digits may also be text. */
  picksDigit?(digit: string): boolean;
  pick?(index: number): void;
  zero?(): void;
  /** `letter` is lower case. */
  letter?(letter: string): void;
  /** Shortcut letters of a payment step. Other letters are text. */
  readonly letters?: readonly string[];
  move?(step: -1 | 1): void;
  /** Moves to the first or last item of the list that `move` uses. */
  moveTo?(end: "first" | "last"): void;
  turnTab?(step: -1 | 1): void;
  turnPage?(step: -1 | 1): void;
}

export interface StepWords {
  readonly t: Translate;
  /** Formats minor units of the shop's currency. */
  readonly inShop: (minor: number) => string;
  /** Like `inShop`, without the decimals of a whole amount. */
  readonly inShopShort: (minor: number) => string;
  /** Translates the contents of an offer from its title. */
  readonly contents: (title: string) => string;
  readonly country: (code: string) => string;
}

/** Marks a step's own field, which handles digit keys itself. */
export const OWN_FIELD = { "data-counter-field": true } as const;
