import type { FaultSettings } from "../../../contract/v1/sandbox.ts";
import { type Clock, systemClock } from "../../../lib/clock.ts";
import { Faults } from "./faults.ts";
import { SandboxClock, type StoredClock } from "./sandbox-clock.ts";
import { ScenarioBook, type ScenarioLog } from "./scenario-book.ts";

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
