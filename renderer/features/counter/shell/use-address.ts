import { useEffect, useEffectEvent, useState } from "react";
import type { Family } from "../../../../server/contract/pos/families.ts";
import { awaitsAnswer } from "../sale/basket/sale-state.ts";
import type { CounterEvent, CounterState } from "./counter-state.ts";

export interface NamedFamily {
  readonly family: Family;
  /**
   * Sequence number of the counter's request that changed the address. Undefined for other changes.
   */
  readonly asked: number | undefined;
}

/** Number of requests by all counters since the page was loaded. */
let lastAsked = 0;

class FamilyAsks {
  #last = lastAsked;
  /** Sequence number of the latest request that the address has followed or overridden. */
  #seen = lastAsked;
  #wanted: Family | undefined;

  /** Returns whether this counter requested the change of the address. */
  isOwn(asked: number | undefined): boolean {
    const isOwn = asked !== undefined && asked > this.#seen && asked <= this.#last;
    this.#seen = isOwn ? asked : this.#last;
    return isOwn;
  }

  /**
   * Returns the sequence number of a new request. Undefined if the address contains the family
   * already, or will contain it after a pending request.
   */
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
 * Synchronises the open family and the address, which changes a moment later. A change that this
 * counter requested is ignored, because the clerk may have opened another family in the meantime.
 */
export function useAddress(
  { family: named, asked }: NamedFamily,
  { family, sale }: CounterState,
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
  const isAwaited = awaitsAnswer(sale);
  useEffect(() => {
    if (!isAwaited) {
      follow(family);
    }
  }, [family, isAwaited]);
}
