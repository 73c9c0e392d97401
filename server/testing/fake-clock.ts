import { type Clock, MINUTE } from "../lib/clock.ts";

interface Timer {
  at: number;
  callback: () => void;
}

/** A clock that stands still until a test moves it. */
export class FakeClock implements Clock {
  #now: number;
  #running = 0;
  readonly #timers = new Set<Timer>();

  constructor(start = Date.UTC(2026, 0, 15, 9, 30)) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  running(): number {
    return this.#running;
  }

  wakeAt(at: number, callback: () => void): () => void {
    const timer = { at, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** When the next timer is due. */
  nextTimer(): number | undefined {
    return this.#timers.size === 0
      ? undefined
      : Math.min(...[...this.#timers].map((timer) => timer.at));
  }

  /**
   * The machine's clock is put forwards or back: timers still wait as long as they would have, as
   * those of the operating system do.
   */
  jump(milliseconds: number): void {
    this.#now += milliseconds;
    for (const timer of this.#timers) timer.at += milliseconds;
  }

  /**
   * Sets the time, forwards or back, and calls what is due by then. Nothing sleeps longer than a
   * minute while a gateway runs: in a longer step the machine was asleep.
   */
  set(now: number): void {
    this.#running += Math.min(Math.max(now - this.#now, 0), MINUTE);
    this.#now = now;
    for (const timer of [...this.#timers].sort((a, b) => a.at - b.at)) {
      if (timer.at <= now && this.#timers.delete(timer)) timer.callback();
    }
  }
}
