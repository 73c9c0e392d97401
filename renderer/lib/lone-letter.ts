import { SAME_NUMBER_MS } from "./same-number.ts";

/**
 * A letter with an action, which also starts a word if another letter follows at once: the action
 * waits until the next key or a timeout decides (rules#key-letter-alone).
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
   * Records a letter of a word. Drops the waiting action; letters that follow soon belong to the
   * word.
   */
  pass(at: number): void {
    this.drop();
    this.#wordAt = at;
  }

  isInWord(at: number, withinMs: number): boolean {
    return at - this.#wordAt <= withinMs;
  }

  /** Runs the action after a delay, unless another letter follows and starts a word. */
  press(letter: string, run: () => void): void {
    this.settle();
    const timer = setTimeout(() => this.settle(), SAME_NUMBER_MS);
    this.#waiting = { letter, run, timer };
  }

  /** Returns the waiting letter and drops its action, because another letter follows. */
  join(): string | undefined {
    const letter = this.#waiting?.letter;
    this.drop();
    return letter;
  }

  settle(): void {
    const waiting = this.#waiting;
    this.drop();
    waiting?.run();
  }

  drop(): void {
    clearTimeout(this.#waiting?.timer);
    this.#waiting = undefined;
  }
}
