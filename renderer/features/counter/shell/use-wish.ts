import { useEffect, useEffectEvent, useState } from "react";
import type { CounterWish } from "../families/interface/counter-wish.ts";

/** What the address names until it is taken out of it. */
class TakenWish {
  #taken: string | undefined;

  /** Whether it is another than before. */
  takes(named: string): boolean {
    const isNew = this.#taken !== named;
    this.#taken = named;
    return isNew;
  }

  forget(): void {
    this.#taken = undefined;
  }
}

/**
 * Takes what was looked for elsewhere, once the family it is for is open. It is taken once, however often
 * the address still names it: what was typed behind it since would be gone.
 */
export function useWish(
  wish: CounterWish | undefined,
  isOpen: boolean,
  onTake: (wish: CounterWish) => void,
): void {
  const [taken] = useState(() => new TakenWish());
  const named = wish && JSON.stringify(wish);
  const take = useEffectEvent(() => wish && onTake(wish));
  useEffect(() => {
    if (named === undefined) {
      taken.forget();
    } else if (isOpen && taken.takes(named)) {
      take();
    }
  }, [taken, named, isOpen]);
}
