import type { SharedMemory } from "../../../db/shared-memory.ts";
import { type Clock, SECOND } from "../../../lib/clock.ts";

const TURNS = "printer-turns";
/** After this time without a renewal, the printer of a dead process is free. */
const HELD_MS = 30 * SECOND;
const RENEWED_MS = 10 * SECOND;
const ASKED_EVERY_MS = 500;

interface Turn {
  readonly printId: string;
  /** Differs at each renewal: an equal value would not be stored. */
  readonly renewedAt: number;
}

/**
 * Lets only one of several processes print at an address. Most printers accept one connection at a
 * time.
 */
export class PrinterTurns {
  readonly #memory: SharedMemory;
  readonly #clock: Clock;

  constructor(memory: SharedMemory, clock: Clock) {
    this.#memory = memory;
    this.#clock = clock;
  }

  /**
   * Waits until no other process prints at this address.
   * @throws the reason of the signal if it aborts first
   */
  async take<T>(
    address: string,
    { printId, signal }: { printId: string; signal: AbortSignal },
    work: () => Promise<T>,
  ): Promise<T> {
    // A single process already has one queue per address.
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
   * @returns a function that ends the renewals. The function's promise resolves after a renewal in
   * progress, which could otherwise take the printer again.
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

/** @throws the reason of the signal if it aborts first */
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
