import { Problem } from "../contract/problem.ts";
import { type Clock, SECOND } from "../lib/clock.ts";
import { type App, clientOf } from "./app-types.ts";

/** How many requests a key may make: at once, and each second (rules#limit-rate). */
export interface RateLimit {
  burst: number;
  perSecond: number;
}

export const RATE_LIMIT: RateLimit = { burst: 200, perSecond: 100 };

interface Bucket {
  tokens: number;
  filledAt: number;
}

/**
 * Limits each API key by itself: a bucket of `burst` tokens that fills at `perSecond`; a request
 * takes one. `RateLimit` headers say what is left, and `Retry-After` when to come again.
 */
export function registerRateLimit(app: App, limit: RateLimit, clock: Clock): void {
  const buckets = new Map<string, Bucket>();

  app.addHook("preParsing", (request, reply, payload, done) => {
    const { keyId } = clientOf(request);
    const bucket = refill(buckets.get(keyId), limit, clock.now());
    buckets.set(keyId, bucket);
    const allowed = bucket.tokens >= 1;
    if (allowed) bucket.tokens -= 1;
    reply.header("ratelimit-limit", limit.burst);
    reply.header("ratelimit-remaining", Math.floor(bucket.tokens));
    reply.header("ratelimit-reset", Math.ceil((limit.burst - bucket.tokens) / limit.perSecond));
    if (!allowed) {
      reply.header("retry-after", Math.ceil((1 - bucket.tokens) / limit.perSecond));
      throw new Problem("RATE_LIMITED", "Too many requests with this key. Try again shortly.");
    }
    done(null, payload);
  });
}

function refill(bucket: Bucket | undefined, limit: RateLimit, now: number): Bucket {
  if (!bucket) return { tokens: limit.burst, filledAt: now };
  // A clock that was moved back fills nothing, and takes nothing away.
  const elapsed_s = Math.max(0, now - bucket.filledAt) / SECOND;
  const tokens = Math.min(limit.burst, bucket.tokens + elapsed_s * limit.perSecond);
  return { tokens, filledAt: now };
}
