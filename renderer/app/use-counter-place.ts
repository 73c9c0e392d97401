import { useState } from "react";
import type { Environment } from "../../server/contract/common.ts";
import type { Attempt } from "../features/counter/sale/attempt/attempt-store.ts";
import type { TillPlace } from "../features/counter/sale/attempt/till.ts";
import { findLeftBasket } from "../features/counter/sale/left/left-basket.ts";

interface CounterPlace {
  /** Where the counter of this window sells. */
  readonly environment: Environment;
  /** A sale that was begun here where the shop no longer sells: it is put aside or removed first. */
  readonly left: Attempt | undefined;
  readonly onPaying: (paying: boolean) => void;
  readonly onLeftEmpty: () => void;
}

/**
 * The counter follows the shop when its basket is empty. While money is being taken it stays where it
 * was, so that no answer is lost (rules#live-begun-sale).
 * @param shop the till's person, and where the shop sells now
 */
export function useCounterPlace(shop: TillPlace): CounterPlace {
  const [paysIn, setPaysIn] = useState<Environment>();
  const [, lookAgain] = useState(0);
  const environment = paysIn ?? shop.environment;
  return {
    environment,
    left: findLeftBasket({ ...shop, environment }),
    onPaying: (paying) => setPaysIn(paying ? environment : undefined),
    onLeftEmpty: () => lookAgain((times) => times + 1),
  };
}
