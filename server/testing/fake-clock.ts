import { type Clock, MINUTE } from "../lib/clock.ts";

interface Timer {
  at: number;
  callback: () => void;
}

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

  nextTimer(): number | undefined {
    return this.#timers.size === 0
      ? undefined
      : Math.min(...[...this.#timers].map((timer) => timer.at));
  }

  /**
   * Changes the time of day, forward or back. Timers keep their remaining time, as on a real
   * machine.
   */
  jump(milliseconds: number): void {
    this.#now += milliseconds;
    for (const timer of this.#timers) timer.at += milliseconds;
  }

  /**
   * Sets the time, forward or back, and runs the timers that are due. A step over a minute
   * simulates sleep, because a running gateway has a timer every minute.
   */
  set(now: number): void {
    this.#running += Math.min(Math.max(now - this.#now, 0), MINUTE);
    this.#now = now;
    for (const timer of [...this.#timers].sort((a, b) => a.at - b.at)) {
      if (timer.at <= now && this.#timers.delete(timer)) timer.callback();
    }
  }
}
