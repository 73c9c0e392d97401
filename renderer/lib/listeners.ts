import type { DrawerCause } from "../../server/contract/pos/printers.ts";
import type { Sale } from "../../server/contract/pos/sales.ts";

/** Listeners of a value that is stored outside React's state. */
export class Listeners<Args extends readonly unknown[] = []> {
  readonly #all = new Set<(...args: Args) => void>();

  readonly subscribe = (listener: (...args: Args) => void): (() => void) => {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  };

  readonly notify = (...args: Args): void => {
    for (const listener of this.#all) {
      listener(...args);
    }
  };

  hasAny(): boolean {
    return this.#all.size > 0;
  }
}

/** Sales of this till, not of another till. */
export const soldHere = new Listeners<[Sale]>();

export const drawerRequests = new Listeners<[DrawerCause]>();

/** Requests to open the search of products, sales and pages. */
export const searchRequests = new Listeners();
