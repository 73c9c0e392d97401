import type { SharedMemory } from "../../../db/shared-memory.ts";
import { type Clock, SECOND } from "../../../lib/clock.ts";

const TURNS = "printer-turns";
/** A process that died frees the printer after this time. */
const HELD_MS = 30 * SECOND;
const RENEWED_MS = 10 * SECOND;
const ASKED_EVERY_MS = 500;

interface Turn {
  readonly printId: string;
  /** Makes each renewal a different value, because an equal one would not be stored. */
  readonly renewedAt: number;
}

/**
 * Coordinates the access of several processes on one database to a printer: most printers take one connection
 * at a time and refuse the next.
 */
export class PrinterTurns {
  readonly #memory: SharedMemory;
  readonly #clock: Clock;

  constructor(memory: SharedMemory, clock: Clock) {
    this.#memory = memory;
    this.#clock = clock;
  }

  /**
   * Runs the work once no other process prints at this address.
   * @throws the reason of the signal if it aborts before
   */
  async take<T>(
    address: string,
    { printId, signal }: { printId: string; signal: AbortSignal },
    work: () => Promise<T>,
  ): Promise<T> {
    // A single process already has one queue for each address.
    if (!this.#memory.isShared) return work();
    while (!(await this.#hold(address, printId))) {
      await sleep(this.#clock, ASKED_EVERY_MS, signal);
    }
    const endRenewal = this.#renew(address, printId);
    try {
      return await work();
    } finally {
      await endRenewal();
      const drop = (known: Turn | undefined) => (known?.printId === printId ? undefined : known);
      await this.#memory.change<Turn>(TURNS, address, drop, HELD_MS).catch(() => {});
    }
  }

  async #hold(address: string, printId: string): Promise<boolean> {
    const renewedAt = this.#clock.now();
    const step = (known: Turn | undefined) =>
      known && known.printId !== printId ? known : { printId, renewedAt };
    const turn = await this.#memory.change<Turn>(TURNS, address, step, HELD_MS);
    return turn?.printId === printId;
  }

  /**
   * @returns a function that ends it; resolves once no renewal is in progress, which would take the
   *   printer again
   */
  #renew(address: string, printId: string): () => Promise<unknown> {
    let cancel = () => {};
    let isOver = false;
    let last: Promise<unknown> = Promise.resolve();
    const wait = () => {
      if (isOver) return;
      cancel = this.#clock.wakeAt(this.#clock.now() + RENEWED_MS, () => {
        last = this.#hold(address, printId).then(wait, wait);
      });
    };
    wait();
    return () => {
      isOver = true;
      cancel();
      return last;
    };
  }
}

/** Waits for a time. @throws the reason of the signal if it aborts before */
export async function sleep(clock: Clock, duration_ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const cancel = clock.wakeAt(clock.now() + duration_ms, resolve);
  const giveUp = () => reject(signal.reason);
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    await promise;
  } finally {
    cancel();
    signal.removeEventListener("abort", giveUp);
  }
}
