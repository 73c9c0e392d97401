import { useEffect, useEffectEvent, useRef } from "react";
import type { CounterWish } from "../families/interface/counter-wish.ts";

/**
 * Takes what was looked for elsewhere, once the family it is for is open. It is taken once, however often
 * the address still names it: what was typed behind it since would be gone.
 */
export function useWish(
  wish: CounterWish | undefined,
  isOpen: boolean,
  onTake: (wish: CounterWish) => void,
): void {
  const taken = useRef<string | undefined>(undefined);
  const named = wish && JSON.stringify(wish);
  const take = useEffectEvent(() => wish && onTake(wish));
  useEffect(() => {
    if (named === undefined) {
      taken.current = undefined;
    } else if (isOpen && taken.current !== named) {
      taken.current = named;
      take();
    }
  }, [named, isOpen]);
}
