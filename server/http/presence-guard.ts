import type { FastifyRequest } from "fastify";
import { LastingProblem } from "../contract/problem.ts";
import type { Presence } from "../db/sqlite/presence.ts";
import { oncePerTurn } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";

/**
 * Refuses requests while the database file is missing or replaced, because reads would be outdated
 * and writes lost.
 */
export function createPresenceGuard(
  presence: Presence,
  log: Log,
  isExempt: (request: FastifyRequest) => boolean,
) {
  const isThereNow = oncePerTurn(() => presence.isThere());
  let wasThere = true;
  return function guardPresence(request: FastifyRequest): void {
    const isThere = isThereNow();
    if (isThere !== wasThere) {
      if (isThere) log.warn("data directory available again");
      else log.error("data directory deleted or replaced: reads and writes refused");
      wasThere = isThere;
    }
    if (isThere || isExempt(request)) return;
    throw new LastingProblem(
      "Nothing was done: the data directory was deleted or replaced while Tillgate ran. Put it back, or restart Tillgate.",
    );
  };
}
