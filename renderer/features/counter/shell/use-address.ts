import { useEffect, useEffectEvent, useRef } from "react";
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

/**
 * The address names the family too: whichever of the two changes, the other follows. The address changes
 * a moment later than the counter; one that was asked for before the newest is not followed, or keys
 * that are typed meanwhile would go to the family that was left.
 */
export function useAddress(
  { family: named, asked }: NamedFamily,
  { family, sale: { paying } }: CounterState,
  dispatch: (event: CounterEvent) => void,
  onFamily: (family: Family, asked: number) => void,
): void {
  const asks = useRef({ seen: lastAsked, last: lastAsked, family });
  const read = useEffectEvent((shown: Family, asked: number | undefined) => {
    const { seen, last } = asks.current;
    const isOwn = asked !== undefined && asked > seen && asked <= last;
    asks.current.seen = isOwn ? asked : last;
    if (!isOwn) {
      dispatch({ type: "family-shown", family: shown });
    }
  });
  useEffect(() => read(named, asked), [named, asked]);
  const follow = useEffectEvent((shown: Family) => {
    const { seen, last, family: wanted } = asks.current;
    if (shown !== (seen < last ? wanted : named)) {
      lastAsked += 1;
      asks.current = { seen, last: lastAsked, family: shown };
      onFamily(shown, lastAsked);
    }
  });
  // While money is taken the counter stays where it is; where it was refused, it still does.
  useEffect(() => {
    if (!paying) {
      follow(family);
    }
  }, [family, paying]);
}
