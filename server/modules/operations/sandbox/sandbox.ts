import type { FaultSettings } from "../../../contract/v1/sandbox.ts";
import { type Clock, SECOND, systemClock } from "../../../lib/clock.ts";
import type { SendOutgoing } from "../../../lib/guarded-request.ts";
import { SandboxClock, type StoredClock } from "./sandbox-clock.ts";
import { ScenarioBook, type ScenarioLog } from "./scenario-book.ts";

/** Maximum delay of a message that waits for a later message. */
const HELD_BACK_MS = SECOND;

/**
 * Delays use the machine's clock, because callers and webhook receivers do not follow the sandbox's
 * clock.
 */
class Faults {
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

interface SandboxAccess {
  /** The only key that controls the sandbox. */
  keyId: string;
  webhookSecret: string;
}

/** The state of a sandbox outside its database. */
export interface SandboxState {
  clock: StoredClock;
  /** Name of the scenario of purchases without their own. */
  scenario?: string;
  faults: FaultSettings;
}

export interface SandboxOptions {
  /** Whether webhooks may go to private addresses. By default they may. */
  allowPrivate?: boolean;
  machineClock?: Clock;
  state?: SandboxState;
  scenarioLog?: ScenarioLog;
  /** Stores each change of the state. By default, the state is lost when the process ends. */
  save?(state: SandboxState): Promise<void>;
}

/** The clock, outcomes and faults of a sandbox. */
export class Sandbox {
  readonly clock: SandboxClock;
  readonly scenarios: ScenarioBook;
  readonly faults: Faults;
  readonly allowsPrivateTargets: boolean;
  readonly #save: SandboxOptions["save"];
  #access: SandboxAccess | undefined;

  constructor(options: SandboxOptions = {}) {
    const { machineClock = systemClock, state, scenarioLog, save, allowPrivate = true } = options;
    this.allowsPrivateTargets = allowPrivate;
    this.clock = new SandboxClock(machineClock, state?.clock);
    this.scenarios = new ScenarioBook(state?.scenario, scenarioLog);
    this.faults = new Faults(machineClock);
    this.faults.set(state?.faults ?? {});
    this.#save = save;
  }

  /** Undefined until the sandbox is opened. */
  get access(): SandboxAccess | undefined {
    return this.#access;
  }

  get state(): SandboxState {
    const { current } = this.scenarios;
    return {
      clock: this.clock.stored,
      ...(current && { scenario: current.name }),
      faults: this.faults.settings,
    };
  }

  open(access: SandboxAccess): void {
    this.#access = access;
  }

  /** Resolves when a change is stored. */
  async save(): Promise<void> {
    await this.#save?.(this.state);
  }
}
