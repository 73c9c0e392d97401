import type { DisplayView, NumberAnswer, NumberAnswerInput } from "../../contract/pos/displays.ts";
import { Problem } from "../../contract/problem.ts";
import { type Clock, HOUR, MINUTE, SECOND } from "../../lib/clock.ts";
import { NumberAnswers } from "./number-answers.ts";

/** A till that has shown nothing for this long has another code by now, or is gone. */
const KEPT_MS = 24 * HOUR;
/** A till sends its view every 20 s; after this long without one, nothing is shown any more. */
const SHOWN_UNHEARD_MS = 90 * SECOND;
const MOST_DISPLAYS = 100;
/** A person works at few tills in a day; with more, their own oldest displays end. */
const MOST_DISPLAYS_OF_ONE = 8;
const MOST_WATCHERS = 8;
/** Wrong codes accepted each minute: guessing eight letters takes ages. */
const WRONG_CODES_OF_ONE_SOURCE = 30;
const WRONG_CODES_OF_ALL = 600;

/** The sender of a view: the browser of a till, independent of who is signed in there. */
export interface Shower {
  staffId: string;
  /** Digest of the session's token. */
  session: string;
  /** Digest of the browser's own cookie; a browser that has none yet goes by the session. */
  device: string | undefined;
}

interface Board {
  view: DisplayView;
  /** What customers said of numbers here, by the line that each is of. */
  answers: NumberAnswers;
  shownAt: number;
  by: Shower;
  watchers: Set<() => void>;
  stopWaiting: () => void;
}

/**
 * What each till shows its customer. In memory only: a till sends it again whenever it changes and
 * whenever it reconnects, so nothing is lost with it. It is shown no longer than the sign-in that
 * showed it, nor to the next customer of a till that is gone (rules#counter-customer-display).
 */
export class DisplayBoard {
  readonly #clock: Clock;
  readonly #boards = new Map<string, Board>();
  /** Guesses of this minute, by source. */
  readonly #guesses = new Map<string, number>();
  #guessedSince = 0;
  #guessed = 0;
  #stopped = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Shows it at once on every screen with this code.
   * @returns how many there are
   * @throws Problem FORBIDDEN when another till shows something under it, RATE_LIMITED when there
   *   are too many
   */
  show(code: string, view: DisplayView, by: Shower): number {
    const board = this.#boards.get(code);
    if (board && !isSameTill(board.by, by)) {
      throw new Problem("FORBIDDEN", "Another till shows its customer's side under this code.");
    }
    if (!board) this.#makeRoom(by);
    board?.stopWaiting();
    const watchers = board?.watchers ?? new Set();
    const answers = board?.answers ?? new NumberAnswers(this.#clock);
    const shownAt = this.#clock.now();
    const stopWaiting = this.#clock.wakeAt(shownAt + SHOWN_UNHEARD_MS, () => this.#empty(code));
    this.#boards.delete(code);
    this.#boards.set(code, { view, answers, shownAt, by, watchers, stopWaiting });
    for (const wake of watchers) wake();
    return watchers.size;
  }

  /** Nobody is signed in there any more: the next customer sees nothing of the last. */
  endOf(session: string): void {
    for (const [code, { by }] of this.#boards) if (by.session === session) this.#empty(code);
  }

  #empty(code: string): void {
    const board = this.#boards.get(code);
    board?.answers.clear();
    if (!board || (board.view.phase === "IDLE" && !board.view.receiptLink)) return;
    const { shopName, language, training, currency, currencyDivisor } = board.view;
    const shop = { shopName, language, training, currency, currencyDivisor };
    board.view = { ...shop, phase: "IDLE", lines: [], total: 0 };
    for (const wake of board.watchers) wake();
  }

  /**
   * Lets a screen look for a code. The guess is counted before the code is looked up, and taken back
   * when it was right, so that a source that guesses too often does not even learn of a right one.
   * @throws Problem RATE_LIMITED or NOT_FOUND
   */
  admit(code: string, source: string): void {
    if (this.#guess(code, source).watchers.size >= MOST_WATCHERS) {
      throw new Problem("RATE_LIMITED", "Too many screens show this till.");
    }
  }

  /**
   * Takes what a customer says of the number that is shown, from a screen that knows the code.
   * @returns false where something else is asked by now
   * @throws Problem RATE_LIMITED or NOT_FOUND
   */
  answer(code: string, input: NumberAnswerInput, source: string): boolean {
    const { view, answers } = this.#guess(code, source);
    return answers.take(view.ask, input);
  }

  /**
   * What was said of the number of a line, and how many screens ask.
   * @throws Problem FORBIDDEN where it is another till's
   */
  answerOf(code: string, transactionId: string, by: Shower): NumberAnswer {
    const board = this.#boards.get(code);
    if (!board) return { watching: 0 };
    if (!isSameTill(board.by, by)) throw new Problem("FORBIDDEN", "It is another till's display.");
    const said = board.answers.find(transactionId)?.said;
    return { ...(said && { said }), watching: board.watchers.size };
  }

  /** Whether a customer of this till confirmed this very number for this line, a short while ago. */
  isConfirmed({ transactionId, number }: Omit<NumberAnswerInput, "said">, by: Shower): boolean {
    return [...this.#boards.values()].some((board) => {
      const found = isSameTill(board.by, by) ? board.answers.find(transactionId) : undefined;
      return found?.said === "YES" && found.number === number;
    });
  }

  #guess(code: string, source: string): Board {
    const now = this.#clock.now();
    if (Math.abs(now - this.#guessedSince) >= MINUTE) {
      this.#guessedSince = now;
      this.#guessed = 0;
      this.#guesses.clear();
    }
    const ofSource = this.#guesses.get(source) ?? 0;
    if (ofSource >= WRONG_CODES_OF_ONE_SOURCE || this.#guessed >= WRONG_CODES_OF_ALL) {
      throw new Problem("RATE_LIMITED", "Too many wrong codes. Try again in a minute.");
    }
    const board = this.#boards.get(code);
    if (!board) {
      this.#guesses.set(source, ofSource + 1);
      this.#guessed += 1;
      throw new Problem("NOT_FOUND", "No till shows anything under this code.");
    }
    return board;
  }

  /** What is shown under a code, now and each time it changes, until `signal` aborts. */
  async *watch(code: string, signal: AbortSignal): AsyncGenerator<DisplayView> {
    let wake: () => void = () => undefined;
    const onAbort = () => wake();
    const onShown = () => wake();
    this.#boards.get(code)?.watchers.add(onShown);
    signal.addEventListener("abort", onAbort);
    try {
      let shown: DisplayView | undefined;
      while (!signal.aborted && !this.#stopped) {
        const board = this.#boards.get(code);
        if (!board) return;
        if (board.view !== shown) {
          shown = board.view;
          yield shown;
          continue;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      signal.removeEventListener("abort", onAbort);
      this.#boards.get(code)?.watchers.delete(onShown);
    }
  }

  /** Ends every watcher. */
  stop(): void {
    this.#stopped = true;
    for (const { watchers, stopWaiting } of this.#boards.values()) {
      stopWaiting();
      for (const wake of watchers) wake();
    }
  }

  /** Only displays that are long gone, and one's own, make room: nobody pushes out another's. */
  #makeRoom({ staffId }: Shower): void {
    const oldest = this.#clock.now() - KEPT_MS;
    for (const [code, { shownAt }] of this.#boards) if (shownAt < oldest) this.#drop(code);
    const own = [...this.#boards].filter(([, { by }]) => by.staffId === staffId);
    const surplus = own.slice(0, Math.max(0, own.length + 1 - MOST_DISPLAYS_OF_ONE));
    for (const [code] of surplus) this.#drop(code);
    if (this.#boards.size < MOST_DISPLAYS) return;
    throw new Problem("RATE_LIMITED", "Too many tills show their customer's side.");
  }

  #drop(code: string): void {
    const board = this.#boards.get(code);
    this.#boards.delete(code);
    board?.stopWaiting();
    for (const wake of board?.watchers ?? []) wake();
  }
}

function isSameTill(one: Shower, other: Shower): boolean {
  if (one.session === other.session) return true;
  return one.device !== undefined && one.device === other.device;
}
