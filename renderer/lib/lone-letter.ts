import { SAME_NUMBER_MS } from "./same-number.ts";

/**
 * A letter that has an action alone, and starts a word if another letter follows at once: the action waits
 * until that is known (rules#key-letter-alone).
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

  /**
   * Records a letter of a word: the waiting action is dropped, and letters that follow soon belong to the
   * word.
   */
  pass(at: number): void {
    this.drop();
    this.#wordAt = at;
  }

  /** Returns whether a letter of a word was typed at most `withinMs` before `at`. */
  isInWord(at: number, withinMs: number): boolean {
    return at - this.#wordAt <= withinMs;
  }

  /** Runs the action after a moment, unless the letter turns out to start a word. */
  press(letter: string, run: () => void): void {
    this.settle();
    const timer = setTimeout(() => this.settle(), SAME_NUMBER_MS);
    this.#waiting = { letter, run, timer };
  }

  /** Returns the waiting letter when another follows; its action is dropped. */
  join(): string | undefined {
    const letter = this.#waiting?.letter;
    this.drop();
    return letter;
  }

  /** Runs the waiting action, because no word follows. */
  settle(): void {
    const waiting = this.#waiting;
    this.drop();
    waiting?.run();
  }

  /** Drops the waiting action. */
  drop(): void {
    clearTimeout(this.#waiting?.timer);
    this.#waiting = undefined;
  }
}
