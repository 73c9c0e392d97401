import { systemClock } from "../../../lib/clock.ts";
import { Faults } from "./faults.ts";
import { SandboxClock } from "./sandbox-clock.ts";
import { ScenarioBook } from "./scenario-book.ts";

/** Access of an integrator to a sandbox. */
interface SandboxAccess {
  /** Id of the only key that controls the sandbox. */
  keyId: string;
  /** Signs every webhook of the sandbox. */
  webhookSecret: string;
}

/** A gateway's sandbox: its clock, outcomes and faults, and the access to them. Its state ends with the process. */
export class Sandbox {
  readonly clock = new SandboxClock();
  readonly scenarios = new ScenarioBook();
  readonly faults = new Faults(systemClock);
  #access: SandboxAccess | undefined;

  /** Undefined until the sandbox is opened: nobody controls it before. */
  get access(): SandboxAccess | undefined {
    return this.#access;
  }

  open(access: SandboxAccess): void {
    this.#access = access;
  }
}
