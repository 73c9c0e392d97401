import type { Translate } from "../../../lib/i18n.ts";

/**
 * What typed characters mean in a step: digits, a number or the letters of a customer's name, an
 * amount, letters that search while digits pick, the words of a field, or nothing but picking.
 */
export type Typing = "digits" | "number" | "amount" | "search" | "words" | "none";

/**
 * The meaning of the next keys depends on an answer: they pick from what this step shows then ("here"),
 * or belong to the step that Enter leads to with that answer ("next").
 */
export type Waits = "here" | "next";

/** The one next thing: what Enter and the primary button do, and what they are called. */
export interface NextThing {
  readonly label: string;
  readonly ready: boolean;
  /** What has to be done first, shown on Enter. */
  readonly missing?: string;
}

/** What the keys do in the step that is open; each step offers what it has. */
export interface StepControl {
  readonly typing: Typing;
  readonly next: NextThing;
  readonly waits?: Waits;
  /**
   * Ignore keys typed before this step was visible: it asks something nobody knows before seeing it
   * (rules#key-typed-ahead).
   */
  readonly confirmsFirst?: true;
  /** Its content could not be loaded: Enter queries it again. */
  readonly asksAgain?: true;
  /** It holds digits that Enter leaves behind when it leads on. */
  readonly holdsNumber?: boolean;
  /** Letters of a name are being typed: none of them is a shortcut. */
  readonly holdsName?: boolean;
  proceed(): void;
  /** Changes what was typed into the step's own field. */
  type?(edit: (text: string) => string): void;
  /** What Enter would take is not called what was typed: it is taken once it could be seen. */
  readonly needsLook?: boolean;
  /** In a field where digits are text, too: whether this one picks after what is typed. */
  picksDigit?(digit: string): boolean;
  /** The tile that carries digit `index + 1`. */
  pick?(index: number): void;
  /** The key 0. */
  zero?(): void;
  /** A letter key, small. */
  letter?(letter: string): void;
  /** Those of them that do something here, at a payment: any other is of a word. */
  readonly letters?: readonly string[];
  move?(step: -1 | 1): void;
  /** To the first or the last of what `move` goes through. */
  moveTo?(end: "first" | "last"): void;
  turnTab?(step: -1 | 1): void;
  turnPage?(step: -1 | 1): void;
}

/** What names the next thing: the words, and an amount in the shop's currency. */
export interface StepWords {
  readonly t: Translate;
  /** Minor units of the shop's currency. */
  readonly inShop: (minor: number) => string;
  /** The same without the decimals of a whole amount. */
  readonly inShopShort: (minor: number) => string;
  /** What an offer holds, in the clerk's words. */
  readonly contents: (title: string) => string;
  /** A country by its code, in the clerk's words. */
  readonly country: (code: string) => string;
}
