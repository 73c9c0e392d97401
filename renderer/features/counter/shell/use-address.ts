import { useEffect, useEffectEvent, useState } from "react";
import type { Family } from "../../../../server/contract/pos/families.ts";
import type { CounterEvent, CounterState } from "./counter-state.ts";

/** The family that the address names. */
export interface NamedFamily {
  readonly family: Family;
  /** Which request of this counter it is the answer to; absent where something else changed it. */
  readonly asked: number | undefined;
}

/** Counts the requests of all counters since the page was loaded. */
let lastAsked = 0;

/** What one counter has asked the address to name. */
class FamilyAsks {
  /** The newest of them. */
  #last = lastAsked;
  /** Up to which the address has followed, or been led elsewhere. */
  #seen = lastAsked;
  #wanted: Family | undefined;

  /** Whether the address says what this counter has asked for, and not what came from elsewhere. */
  isOwn(asked: number | undefined): boolean {
    const isOwn = asked !== undefined && asked > this.#seen && asked <= this.#last;
    this.#seen = isOwn ? asked : this.#last;
    return isOwn;
  }

  /** The number of a new request; undefined where the address names the family, or is about to. */
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
 * The address names the family too: whichever of the two changes, the other follows. The address changes
 * a moment later than the counter; what this one has asked for is not followed back, or keys that are
 * typed meanwhile would go to the family that was left.
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
  // While money is taken the counter stays where it is; where it was refused, it still does.
  useEffect(() => {
    if (!paying) {
      follow(family);
    }
  }, [family, paying]);
}
