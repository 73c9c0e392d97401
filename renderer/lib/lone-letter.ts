import { SAME_NUMBER_MS } from "./same-number.ts";

/**
 * A letter that does something where it stands alone, and is the first of a word where another letter
 * follows at once: what it does waits until that is known (rules#key-letter-alone).
 */
export class LoneLetter {
  #waiting:
    | {
        readonly letter: string;
        readonly run: () => void;
        readonly timer: ReturnType<typeof setTimeout>;
      }
    | undefined;

  #wordAt = Number.NEGATIVE_INFINITY;

  /** Of a word: what waits is not done, and the letters that follow within a while are of it, too. */
  pass(at: number): void {
    this.drop();
    this.#wordAt = at;
  }

  /** Whether a letter of a word was typed so short a while ago. */
  isInWord(at: number, withinMs: number): boolean {
    return at - this.#wordAt <= withinMs;
  }

  /** Runs in a moment, unless it turns out to begin a word. */
  press(letter: string, run: () => void): void {
    this.settle();
    const timer = setTimeout(() => this.settle(), SAME_NUMBER_MS);
    this.#waiting = { letter, run, timer };
  }

  /** Another letter follows: the one that waited, which does nothing then but begin its word. */
  join(): string | undefined {
    const letter = this.#waiting?.letter;
    this.drop();
    return letter;
  }

  /** Nothing of a word follows: what waits is done now. */
  settle(): void {
    const waiting = this.#waiting;
    this.drop();
    waiting?.run();
  }

  /** What waits is not done any more. */
  drop(): void {
    clearTimeout(this.#waiting?.timer);
    this.#waiting = undefined;
  }
}
