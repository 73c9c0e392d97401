import type { FaultSettings } from "../../../contract/v1/sandbox.ts";
import { type Clock, SECOND } from "../../../lib/clock.ts";
import type { SendOutgoing } from "../../../lib/guarded-request.ts";

/** Maximum delay of a message that waits for a later message. */
const HELD_BACK_MS = SECOND;

/**
 * Delays use the machine's clock, because callers and webhook receivers do not follow the sandbox's
 * clock.
 */
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

  get heldBack(): number {
    return this.#releaseHeld ? 1 : 0;
  }

  flush(): void {
    this.#releaseHeld?.();
    this.#releaseHeld = undefined;
  }

  set(settings: FaultSettings): void {
    this.#settings = settings;
  }

  async delay(): Promise<void> {
    const { latencyMs = 0 } = this.#settings;
    if (latencyMs > 0) await this.#wait(latencyMs).promise;
  }

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
