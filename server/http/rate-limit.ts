import { Problem } from "../contract/problem.ts";
import type { SharedMemory } from "../db/shared-memory.ts";
import { type Clock, MINUTE, SECOND } from "../lib/clock.ts";
import { type App, clientOf } from "./app-types.ts";

class OwnBuckets implements RateBuckets {
  readonly #limit: RateLimit;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();

  constructor(limit: RateLimit, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  take(keyId: string): Taken {
    const bucket = refill(this.#buckets.get(keyId), this.#limit, this.#clock.now());
    this.#buckets.set(keyId, bucket);
    const isAllowed = bucket.tokens >= 1;
    if (isAllowed) bucket.tokens -= 1;
    return { isAllowed, left: bucket.tokens };
  }
}

const TOPIC = "rate";
/** A process borrows 1/PART of a full bucket at a time. */
const PART = 10;
/**
 * Time after which borrowed tokens expire. By then the shared bucket has refilled, and a token must
 * not count twice.
 */
const BORROWED_MS = 10 * SECOND;
/** Time after which a bucket is deleted, because it is full by then. */
const FORGOTTEN_MS = 10 * MINUTE;
/** Maximum difference between the clocks of machines. Later times count as wrong. */
const SKEW_MS = MINUTE;

/**
 * Buckets shared by all processes of a database, so that the limit applies to all processes
 * together. A process borrows several tokens at a time, so that most requests need no statement. A
 * key that uses several processes may be refused although another process still has tokens: at most
 * a tenth of the bucket, for ten seconds (docs/decisions/0081).
 */
class SharedBuckets implements RateBuckets {
  readonly #limit: RateLimit;
  readonly #clock: Clock;
  readonly #memory: SharedMemory;
  readonly #borrowed = new Map<string, Borrowed>();
  readonly #borrowing = new Map<string, Promise<void>>();

  constructor(limit: RateLimit, clock: Clock, memory: SharedMemory) {
    this.#limit = limit;
    this.#clock = clock;
    this.#memory = memory;
  }

  take(keyId: string): Taken | Promise<Taken> {
    return this.#takeHeld(keyId) ?? this.#takeAfterBorrowing(keyId);
  }

  async #takeAfterBorrowing(keyId: string): Promise<Taken> {
    for (;;) {
      // Simultaneous requests share the borrowed tokens.
      const borrowing = this.#borrowing.get(keyId) ?? this.#borrow(keyId);
      await borrowing;
      const taken = this.#takeHeld(keyId);
      if (taken) return taken;
    }
  }

  /** @returns undefined if the shared bucket must be read */
  #takeHeld(keyId: string): Taken | undefined {
    const held = this.#borrowed.get(keyId);
    const now = this.#clock.now();
    if (!held || Math.abs(now - held.at) >= BORROWED_MS) return undefined;
    if (held.tokens >= 1) {
      held.tokens -= 1;
      return { isAllowed: true, left: held.tokens + held.left };
    }
    return now < held.emptyUntil ? { isAllowed: false, left: held.left } : undefined;
  }

  #borrow(keyId: string): Promise<void> {
    const borrowing = this.#borrowNow(keyId).finally(() => this.#borrowing.delete(keyId));
    this.#borrowing.set(keyId, borrowing);
    return borrowing;
  }

  async #borrowNow(keyId: string): Promise<void> {
    const { burst, perSecond } = this.#limit;
    const now = this.#clock.now();
    let tokens = 0;
    let left = 0;
    await this.#memory.change<Bucket>(
      TOPIC,
      keyId,
      (before) => {
        const bucket = refillShared(before, this.#limit, now);
        tokens = Math.min(Math.floor(bucket.tokens), Math.max(1, Math.floor(burst / PART)));
        left = bucket.tokens - tokens;
        if (before && tokens === 0) return before;
        return { tokens: left, filledAt: bucket.filledAt };
      },
      FORGOTTEN_MS,
    );
    const wait_ms = ((1 - left) / perSecond) * SECOND;
    this.#borrowed.set(keyId, { tokens, at: now, left, emptyUntil: now + wait_ms });
  }
}

export type { RateLimit };

export const RATE_LIMIT: RateLimit = { burst: 200, perSecond: 100 };

interface RateLimitDeps {
  rateLimit: RateLimit;
  clock: Clock;
  memory: SharedMemory;
}

export type LimitRate = (app: App) => void;

/**
 * Returns a function that limits the routes of an application. Each API key has one bucket of
 * `burst` tokens for all limited routes, which refills at `perSecond`. The `RateLimit` headers state
 * the remaining tokens, and `Retry-After` the time to wait.
 */
export function createRateLimit(deps: RateLimitDeps): LimitRate {
  const { rateLimit: limit, clock, memory } = deps;
  const buckets: RateBuckets = memory.isShared
    ? new SharedBuckets(limit, clock, memory)
    : new OwnBuckets(limit, clock);

  return (app) => {
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
      // Nearly all requests are accepted without waiting.
      if (taken instanceof Promise) return taken.then(decide);
      decide(taken);
      done(null, payload);
      return undefined;
    });
  };
}

/** Size of a bucket, and requests per second (rules#limit-rate). */
interface RateLimit {
  burst: number;
  perSecond: number;
}

interface Taken {
  isAllowed: boolean;
  left: number;
}

interface RateBuckets {
  take(keyId: string): Taken | Promise<Taken>;
}

interface Bucket {
  tokens: number;
  filledAt: number;
}

interface Borrowed {
  tokens: number;
  at: number;
  left: number;
  emptyUntil: number;
}

function refill(bucket: Bucket | undefined, limit: RateLimit, now: number): Bucket {
  if (!bucket) return { tokens: limit.burst, filledAt: now };
  // Setting the clock back neither adds nor removes tokens.
  const elapsed_s = Math.max(0, now - bucket.filledAt) / SECOND;
  const tokens = Math.min(limit.burst, bucket.tokens + elapsed_s * limit.perSecond);
  return { tokens, filledAt: now };
}

/**
 * Refills up to the latest time of any clock, so that differences between clocks do not count
 * twice.
 */
function refillShared(bucket: Bucket | undefined, limit: RateLimit, now: number): Bucket {
  const filled = refill(bucket, limit, now);
  if (!bucket || bucket.filledAt - now > SKEW_MS) return filled;
  return { ...filled, filledAt: Math.max(bucket.filledAt, now) };
}
