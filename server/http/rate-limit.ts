import { Problem } from "../contract/problem.ts";
import type { SharedMemory } from "../db/shared-memory.ts";
import type { Clock } from "../lib/clock.ts";
import { type App, clientOf } from "./app-types.ts";
import {
  OwnBuckets,
  type RateBuckets,
  type RateLimit,
  SharedBuckets,
  type Taken,
} from "./rate-buckets.ts";

export type { RateLimit };

export const RATE_LIMIT: RateLimit = { burst: 200, perSecond: 100 };

interface Deps {
  rateLimit: RateLimit;
  clock: Clock;
  memory: SharedMemory;
}

/**
 * Limits each API key by itself: a bucket of `burst` tokens that fills at `perSecond`; a request
 * takes one. `RateLimit` headers say what is left, and `Retry-After` when to come again.
 */
export function registerRateLimit(app: App, { rateLimit: limit, clock, memory }: Deps): void {
  const buckets: RateBuckets = memory.isShared
    ? new SharedBuckets(limit, clock, memory)
    : new OwnBuckets(limit, clock);

  app.addHook("preParsing", (request, reply, payload, done) => {
    const decide = ({ isAllowed, left }: Taken) => {
      reply.header("ratelimit-limit", limit.burst);
      reply.header("ratelimit-remaining", Math.floor(left));
      reply.header("ratelimit-reset", Math.ceil((limit.burst - left) / limit.perSecond));
      if (isAllowed) return;
      reply.header("retry-after", Math.ceil((1 - left) / limit.perSecond));
      throw new Problem("RATE_LIMITED", "Too many requests with this key. Try again shortly.");
    };
    const taken = buckets.take(clientOf(request).keyId);
    // Nearly every request is let through at once.
    if (taken instanceof Promise) return taken.then(decide);
    decide(taken);
    done(null, payload);
    return undefined;
  });
}
