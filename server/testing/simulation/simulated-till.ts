import { ENVIRONMENTS } from "../../contract/common.ts";
import type { Context } from "../../gateway/context.ts";
import type { Random } from "./random.ts";
import type { SimulatedShop } from "./simulated-shop.ts";
import { type TemplateShop, type Worker, workerOf } from "./template-shop.ts";

type Answer<T> = { done: T } | { refused: string } | undefined;

interface SimulatedTillDeps {
  random: Random;
  shop: SimulatedShop;
  template: Pick<TemplateShop, "people">;
  note: (line: string) => void;
}

export class SimulatedTill {
  readonly #deps: SimulatedTillDeps;
  #made = 0;

  constructor(deps: SimulatedTillDeps) {
    this.#deps = deps;
  }

  /** Performs an action and records its result. Returns undefined if the result is unknown. */
  async attempt<T>(what: string, action: (context: Context) => Promise<T>): Promise<Answer<T>> {
    const answer = await this.#deps.shop.attempt(action);
    const outcome = answer && "refused" in answer ? answer.refused : "done";
    this.#deps.note(`${what}: ${answer ? outcome : "no answer"}`);
    return answer;
  }

  /** Like `attempt`, but returns only the value of a success, and undefined for a refusal. */
  async ask<T>(what: string, action: (context: Context) => Promise<T>): Promise<T | undefined> {
    const answer = await this.attempt(what, action);
    return answer && "done" in answer ? answer.done : undefined;
  }

  everybody(): Worker[] {
    const { people, accountId } = { ...this.#deps.template, ...this.#deps.shop.context };
    return ENVIRONMENTS.flatMap((environment) =>
      people.map((person) => workerOf(accountId, environment, person)),
    );
  }

  anyWorker(): Worker {
    const { random, shop, template } = this.#deps;
    const environment = random.pick(ENVIRONMENTS);
    return workerOf(shop.context.accountId, environment, random.pick(template.people));
  }

  pick<T>(choices: readonly T[]): T | undefined {
    return choices.length === 0 ? undefined : this.#deps.random.pick(choices);
  }

  newId(): string {
    this.#made += 1;
    return `counter-${this.#made}`;
  }
}
