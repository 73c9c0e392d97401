import { systemClock } from "../../../lib/clock.ts";
import { Faults } from "./faults.ts";
import { SandboxClock } from "./sandbox-clock.ts";
import { ScenarioBook } from "./scenario-book.ts";

interface SandboxAccess {
  /** The only key that controls the sandbox. */
  keyId: string;
  webhookSecret: string;
}

/** The clock, outcomes and faults of a sandbox, which are lost when the process ends. */
export class Sandbox {
  readonly clock = new SandboxClock();
  readonly scenarios = new ScenarioBook();
  readonly faults = new Faults(systemClock);
  #access: SandboxAccess | undefined;

  /** Undefined until the sandbox is opened. */
  get access(): SandboxAccess | undefined {
    return this.#access;
  }

  open(access: SandboxAccess): void {
    this.#access = access;
  }
}
