import { useEffect, useEffectEvent, useState } from "react";
import type { Family } from "../../../../server/contract/pos/families.ts";
import type { CounterEvent, CounterState } from "./counter-state.ts";

/** The family in the address. */
export interface NamedFamily {
  readonly family: Family;
  /** The counter's request that the address follows; undefined if it has another cause. */
  readonly asked: number | undefined;
}

/** Counts the requests of all counters since the page was loaded. */
let lastAsked = 0;

/** Requests of one counter to put a family into the address. */
class FamilyAsks {
  /** Number of the latest request. */
  #last = lastAsked;
  /** Number of the latest request that the address followed or overrode. */
  #seen = lastAsked;
  #wanted: Family | undefined;

  /** Whether the address follows a request of this counter, and no other cause. */
  isOwn(asked: number | undefined): boolean {
    const isOwn = asked !== undefined && asked > this.#seen && asked <= this.#last;
    this.#seen = isOwn ? asked : this.#last;
    return isOwn;
  }

  /** Number of a new request; undefined if the address contains the family, or will after a pending request. */
  ask(family: Family, named: Family): number | undefined {
    if (family === (this.#seen < this.#last ? this.#wanted : named)) {
      return undefined;
    }
    lastAsked += 1;
    this.#last = lastAsked;
    this.#wanted = family;
    return lastAsked;
  }
}

/**
 * Keeps the open family and the address equal. The address changes a moment after the counter. An
 * answer to the counter's own request is ignored, because keys typed since would go to the family
 * that was left.
 */
export function useAddress(
  { family: named, asked }: NamedFamily,
  { family, sale: { paying } }: CounterState,
  dispatch: (event: CounterEvent) => void,
  onFamily: (family: Family, asked: number) => void,
): void {
  const [asks] = useState(() => new FamilyAsks());
  useEffect(() => {
    if (!asks.isOwn(asked)) {
      dispatch({ type: "family-shown", family: named });
    }
  }, [asks, named, asked, dispatch]);
  const follow = useEffectEvent((shown: Family) => {
    const number = asks.ask(shown, named);
    if (number !== undefined) {
      onFamily(shown, number);
    }
  });
  // During a payment the counter stays in its family; it also stays after a refusal.
  useEffect(() => {
    if (!paying) {
      follow(family);
    }
  }, [family, paying]);
}
