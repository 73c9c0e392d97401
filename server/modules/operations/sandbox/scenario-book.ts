import { Problem } from "../../../contract/problem.ts";
import type { Order } from "../../../providers/provider.ts";
import {
  SCENARIOS,
  type Scenario,
  type ScenarioOf,
} from "../../../providers/simulator/scenario.ts";

type PurchaseRef = Pick<Order, "accountId" | "environment" | "transactionId">;

/** Stores the scenarios of purchases, so that open purchases keep them after a restart. */
export interface ScenarioLog {
  readonly entries: ReadonlyMap<string, string>;
  /** @param name undefined if the purchase has no scenario of its own */
  note(subject: string, name: string | undefined): void;
  replace(entries: ReadonlyMap<string, string>): Promise<void>;
}

/** Scenarios of the sandbox and its purchases. */
export class ScenarioBook {
  readonly #log: ScenarioLog | undefined;
  readonly #assigned = new Map<string, Scenario>();
  /** Requests that may accept a purchase, by the purchase's subject. */
  readonly #pending = new Map<string, Promise<void>>();
  #current: Scenario | undefined;

  /**
   * @param current name of the sandbox's scenario; a name that this version does not have counts as
   * undefined
   * @param log undefined to keep scenarios in memory only
   */
  constructor(current?: string, log?: ScenarioLog) {
    this.#log = log;
    this.#current = SCENARIOS.find(({ name }) => name === current);
    for (const [subject, name] of log?.entries ?? []) {
      const scenario = SCENARIOS.find((one) => one.name === name);
      if (scenario) this.#assigned.set(subject, scenario);
    }
  }

  readonly scenarioOf: ScenarioOf = (purchase) => this.#assigned.get(subjectOf(purchase));

  get current(): Scenario | undefined {
    return this.#current;
  }

  /**
   * Sets the scenario of purchases without their own; undefined removes it.
   * @throws Problem INVALID_REQUEST naming the field
   */
  set(name: string | undefined): void {
    this.#current = name === undefined ? undefined : findScenario(name, "name");
  }

  /**
   * Assigns a scenario before the purchase is accepted. Requests with the same transaction id run
   * in sequence, so that a repetition never changes the first purchase.
   * @param name undefined for the sandbox's scenario
   * @param header name of the field in errors
   * @returns a function that ends the request; a purchase that was not accepted loses its scenario
   * @throws Problem INVALID_REQUEST naming the header
   */
  async assign(
    purchase: PurchaseRef,
    name: string | undefined,
    header: string,
  ): Promise<(isAccepted: boolean) => void> {
    const scenario = name === undefined ? this.#current : findScenario(name, header);
    const subject = subjectOf(purchase);
    while (this.#pending.has(subject)) await this.#pending.get(subject);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#pending.set(subject, promise);
    const isFirst = !this.#assigned.has(subject);
    const end = () => {
      this.#pending.delete(subject);
      resolve();
    };
    try {
      if (isFirst && scenario) this.#note(subject, scenario);
    } catch (error) {
      this.#assigned.delete(subject);
      end();
      throw error;
    }
    return (isAccepted) => {
      try {
        if (isFirst && scenario && !isAccepted) this.#note(subject, undefined);
      } finally {
        end();
      }
    };
  }

  /** Removes the scenarios of all other purchases, which have ended. */
  async keepOnly(open: readonly PurchaseRef[]): Promise<void> {
    const subjects = new Set(open.map(subjectOf));
    for (const subject of this.#assigned.keys()) {
      if (!subjects.has(subject)) this.#assigned.delete(subject);
    }
    await this.#log?.replace(
      new Map([...this.#assigned].map(([subject, { name }]) => [subject, name])),
    );
  }

  #note(subject: string, scenario: Scenario | undefined): void {
    if (scenario) this.#assigned.set(subject, scenario);
    else this.#assigned.delete(subject);
    this.#log?.note(subject, scenario?.name);
  }
}

function subjectOf({ accountId, environment, transactionId }: PurchaseRef): string {
  return `${accountId} ${environment} ${transactionId}`;
}

/** @throws Problem INVALID_REQUEST naming the field */
function findScenario(name: string, field: string): Scenario {
  const found = SCENARIOS.find((scenario) => scenario.name === name);
  if (found) return found;
  const names = SCENARIOS.map((scenario) => scenario.name).join(", ");
  throw new Problem("INVALID_REQUEST", `There is no scenario ${name.slice(0, 64)}.`, {
    [field]: `must be one of ${names}`,
  });
}
