import type { Clock } from "../lib/clock.ts";

/** The clock of one simulated process, based on a shared clock. Its timers end with the process. */
export class ProcessClock implements Clock {
  readonly #shared: Clock;
  readonly #cancels: (() => void)[] = [];
  #hasEnded = false;

  constructor(shared: Clock) {
    this.#shared = shared;
  }

  now(): number {
    return this.#shared.now();
  }

  running(): number {
    return this.#shared.running();
  }

  wakeAt(at: number, callback: () => void): () => void {
    if (this.#hasEnded) return () => {};
    const cancel = this.#shared.wakeAt(at, callback);
    this.#cancels.push(cancel);
    return cancel;
  }

  end(): void {
    this.#hasEnded = true;
    for (const cancel of this.#cancels) cancel();
  }
}
