import { type Clock, SECOND } from "../../../lib/clock.ts";
import type { SendOutgoing } from "../../../lib/guarded-request.ts";

/** Faults of a sandbox. They last until they are replaced or cleared. */
export interface FaultSettings {
  /** Delay of every answer of `/v1`. */
  latencyMs?: number;
  /** Cuts the connection after a purchase was accepted, instead of the answer. */
  resetAfterAccept?: boolean;
  /** Answers every request of `/v1` with this status and does nothing. */
  status?: 429 | 500 | 503;
  /** Sends every webhook message twice. */
  duplicateWebhooks?: boolean;
  /** Sends each second webhook message before the first. */
  reorderWebhooks?: boolean;
}

/** A message that nothing follows is held back for this long. */
const HELD_BACK_MS = SECOND;

/** The faults of a sandbox, on the machine's clock: callers and receivers do not follow the sandbox's. */
export class Faults {
  readonly #machineClock: Clock;
  #settings: FaultSettings = {};
  #releaseHeld: (() => void) | undefined;

  constructor(machineClock: Clock) {
    this.#machineClock = machineClock;
  }

  get settings(): FaultSettings {
    return this.#settings;
  }

  /** Number of messages that wait for another one to be sent before them. */
  get heldBack(): number {
    return this.#releaseHeld ? 1 : 0;
  }

  /** Sends a message that is held back: no other follows. */
  flush(): void {
    this.#releaseHeld?.();
    this.#releaseHeld = undefined;
  }

  /** Replaces all faults. */
  set(settings: FaultSettings): void {
    this.#settings = settings;
  }

  /** Waits for the latency of an answer. */
  async delay(): Promise<void> {
    const { latencyMs = 0 } = this.#settings;
    if (latencyMs > 0) await this.#wait(latencyMs).promise;
  }

  /** Returns a sender of webhooks that duplicates and reorders them. */
  wrap(send: SendOutgoing): SendOutgoing {
    return async (request, clock) => {
      if (request.method !== "POST") return send(request, clock);
      const { duplicateWebhooks = false, reorderWebhooks = false } = this.#settings;
      const release = this.#releaseHeld;
      this.#releaseHeld = undefined;
      if (reorderWebhooks && !release) await this.#holdBack();
      try {
        const answer = await send(request, clock);
        if (duplicateWebhooks) await send(request, clock).catch(() => undefined);
        return answer;
      } finally {
        release?.();
      }
    };
  }

  async #holdBack(): Promise<void> {
    const { promise, end } = this.#wait(HELD_BACK_MS);
    this.#releaseHeld = end;
    await promise;
    if (this.#releaseHeld === end) this.#releaseHeld = undefined;
  }

  #wait(duration_ms: number): { promise: Promise<void>; end: () => void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#machineClock.wakeAt(this.#machineClock.now() + duration_ms, resolve);
    const end = () => {
      cancel();
      resolve();
    };
    return { promise, end };
  }
}
