import type { Environment } from "../../../../../server/contract/common.ts";
import { type Attempt, isAt, isConfirmed, isOwn, listAttempts } from "../attempt/attempt-store.ts";
import type { TillPlace } from "../attempt/till.ts";

/** Finds an unpaid sale of this window in the environment that the shop has left. */
export function findLeftBasket({ environment, ...who }: TillPlace): Attempt | undefined {
  const left: Environment = environment === "test" ? "live" : "test";
  // Training sales do not depend on the environment.
  return who.training
    ? undefined
    : listAttempts().find(
        (attempt) =>
          isOwn(attempt) && !isConfirmed(attempt) && isAt({ ...who, environment: left }, attempt),
      );
}
