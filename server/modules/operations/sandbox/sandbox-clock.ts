import type { Speed } from "../../../contract/v1/sandbox.ts";
import { type Clock, SECOND, systemClock } from "../../../lib/clock.ts";

interface Timer {
  at: number;
  callback: () => void;
}

/** A clock's time `now` when the machine's clock showed `at`. */
export interface StoredClock {
  now: number;
  at: number;
  speed: Speed;
}

/**
 * Returns the present time of a stored clock, which runs at its speed while its sandbox is closed.
 * A machine's clock that was set back does not set it back.
 */
export function readStoredClock({ now, at, speed }: StoredClock, machine: Clock): number {
  return now + Math.max(machine.now() - at, 0) * speed;
}

/**
 * A clock that starts at the machine's time, or continues a stored clock, and runs at a chosen
 * speed. While held, the clock advances only through `moveTo`, which also advances the running time.
 */
export class SandboxClock implements Clock {
  readonly #machine: Clock;
  readonly #timers = new Set<Timer>();
  #speed: Speed;
  #isHeld = false;
  #isClosed = false;
  /** The time and the running time when the machine's running time was `since`. */
  #start: { now: number; running: number; since: number };
  #armedFor = Infinity;
  #disarm = () => {};

  constructor(machine: Clock = systemClock, stored?: StoredClock) {
    this.#machine = machine;
    this.#speed = stored?.speed ?? 1;
    const now = stored ? readStoredClock(stored, machine) : machine.now();
    this.#start = { now, running: 0, since: machine.running() };
  }

  get stored(): StoredClock {
    return { now: this.now(), at: this.#machine.now(), speed: this.#speed };
  }

  get speed(): Speed {
    return this.#speed;
  }

  now(): number {
    return Math.floor(this.#start.now + this.#elapsed());
  }

  running(): number {
    return this.#start.running + this.#elapsed();
  }

  wakeAt(at: number, callback: () => void): () => void {
    if (this.#isClosed) return () => {};
    const timer = { at, callback };
    this.#timers.add(timer);
    if (at < this.#armedFor) this.#arm();
    return () => this.#timers.delete(timer);
  }

  nextTimer(): number {
    let next = Infinity;
    for (const { at } of this.#timers) next = Math.min(next, at);
    return next;
  }

  setSpeed(speed: Speed): void {
    this.#fold();
    this.#speed = speed;
    this.#arm();
  }

  hold(): void {
    this.#fold();
    this.#isHeld = true;
    this.#arm();
  }

  release(): void {
    this.#fold();
    this.#isHeld = false;
    this.#arm();
  }

  /** Advances a held clock, and runs the timers that become due. */
  moveTo(at: number): void {
    const { now, running, since } = this.#start;
    const by = Math.max(at - now, 0);
    this.#start = { now: now + by, running: running + by, since };
    this.#runDue();
  }

  /** Waits on the machine's clock, for work of other programs, which do not follow this clock. */
  waitOutside(): Promise<void> {
    return new Promise((resolve) => {
      this.#machine.wakeAt(this.#machine.now() + 1, resolve);
    });
  }

  /** Removes all timers. Later timers never run, and the time still advances. */
  close(): void {
    this.#isClosed = true;
    this.#timers.clear();
    this.#disarm();
  }

  #elapsed(): number {
    if (this.#isHeld) return 0;
    return (this.#machine.running() - this.#start.since) * this.#speed;
  }

  #fold(): void {
    const elapsed = this.#elapsed();
    const { now, running } = this.#start;
    const since = this.#machine.running();
    this.#start = { now: now + elapsed, running: running + elapsed, since };
  }

  #arm(): void {
    this.#disarm();
    this.#disarm = () => {};
    this.#armedFor = this.#isHeld ? Infinity : this.nextTimer();
    if (this.#armedFor === Infinity) return;
    // At most a second, so that a change of the machine's clock delays the timer only briefly.
    const wait_ms = Math.min(Math.max((this.#armedFor - this.now()) / this.#speed, 0), SECOND);
    this.#disarm = this.#machine.wakeAt(this.#machine.now() + Math.ceil(wait_ms), () => {
      this.#runDue();
      this.#arm();
    });
  }

  #runDue(): void {
    const now = this.now();
    const due = [...this.#timers].filter(({ at }) => at <= now).sort((a, b) => a.at - b.at);
    // An earlier callback may cancel a later timer.
    for (const timer of due) if (this.#timers.delete(timer)) timer.callback();
  }
}
