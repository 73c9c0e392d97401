import type { DisplayView } from "../../contract/pos/displays.ts";
import { type Clock, HOUR, MINUTE } from "../../lib/clock.ts";

/** A till that has shown nothing for so long has another code by now, or is gone. */
const KEPT_MS = 24 * HOUR;
const MOST_DISPLAYS = 100;
const MOST_WATCHERS = 8;
/** Codes that are none, each minute and from everybody: guessing eight letters takes ages. */
const WRONG_CODES_A_MINUTE = 30;

interface Board {
  view: DisplayView;
  shownAt: number;
  watchers: Set<() => void>;
}

/**
 * What each till shows its customer. In memory only: a till tells it again whenever it changes and
 * whenever it finds the gateway again, so nothing is lost with it.
 */
export class DisplayBoard {
  readonly #clock: Clock;
  readonly #boards = new Map<string, Board>();
  #wrongSince = 0;
  #wrong = 0;
  #stopped = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Shows it at once on every screen with this code. @returns how many there are */
  show(code: string, view: DisplayView): number {
    const board = this.#boards.get(code);
    if (!board) this.#makeRoom();
    const watchers = board?.watchers ?? new Set();
    this.#boards.delete(code);
    this.#boards.set(code, { view, shownAt: this.#clock.now(), watchers });
    for (const wake of watchers) wake();
    return watchers.size;
  }

  has(code: string): boolean {
    return this.#boards.has(code);
  }

  isFull(code: string): boolean {
    return (this.#boards.get(code)?.watchers.size ?? 0) >= MOST_WATCHERS;
  }

  /** Counts a code that is none. @returns whether so many were tried that all have to wait */
  countWrongCode(): boolean {
    const now = this.#clock.now();
    if (Math.abs(now - this.#wrongSince) >= MINUTE) {
      this.#wrongSince = now;
      this.#wrong = 0;
    }
    this.#wrong += 1;
    return this.#wrong > WRONG_CODES_A_MINUTE;
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
    for (const { watchers } of this.#boards.values()) for (const wake of watchers) wake();
  }

  #makeRoom(): void {
    const oldest = this.#clock.now() - KEPT_MS;
    for (const [code, { shownAt, watchers }] of this.#boards) {
      const isSurplus = this.#boards.size >= MOST_DISPLAYS;
      if (shownAt >= oldest && !isSurplus) continue;
      this.#boards.delete(code);
      for (const wake of watchers) wake();
    }
  }
}
