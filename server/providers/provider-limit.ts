import { createHash } from "node:crypto";
import { type Clock, MINUTE, SECOND } from "../lib/clock.ts";
import {
  type ProviderConnection,
  ProviderLimited,
  ProviderRefusal,
  type ProviderRequest,
  type RequestLimits,
} from "./provider-call.ts";

/** Rate that a provider permits for a key: `burst` requests at once, refilled at `perSecond`. */
interface ProviderRate {
  perSecond: number;
  burst: number;
}

export interface LimitContext {
  clock: Clock;
  /** Ends the readings that wait, because the program stops. */
  stopping: AbortSignal;
}

type Priority = ProviderRequest["priority"];

/** Part of the bucket that the requests of a priority leave for more important ones. */
const RESERVED: Readonly<Record<Priority, number>> = { PURCHASE: 0, INQUIRY: 0.25, CATALOG: 0.5 };
/** Maximum number of tries of a reading that the provider refuses because it is busy. */
const TRIES = 5;
/** Maximum wait before a try, because a person may wait for the page of a list. */
const MAX_REFUSED_WAIT_MS = MINUTE;
/** A reading ends if its turn comes later. The next one is scheduled. */
const MAX_TURN_WAIT_MS = 30 * SECOND;

/**
 * Limits the requests to providers: each connection has one token bucket in each process, and sends
 * nothing until the end of a `Retry-After` of status 429. A request that must wait ends with
 * `ProviderLimited`: a purchase moves to another provider or waits in the database, and only a
 * reading of the catalog waits in memory (rules#provider-limit, rules#provider-limit-order).
 */
export class ProviderLimits implements RequestLimits {
  readonly clock: Clock;
  readonly #stopping: AbortSignal;
  readonly #rate: ProviderRate | undefined;
  readonly #buckets = new Map<string, Bucket>();

  /** @param rate without it, only `Retry-After` limits the requests */
  constructor({ clock, stopping }: LimitContext, rate?: ProviderRate) {
    this.clock = clock;
    this.#stopping = stopping;
    this.#rate = rate;
  }

  admit(connection: ProviderConnection, priority: Priority): void {
    const wait_ms = this.#bucketOf(connection).take(priority, this.clock.now());
    if (wait_ms > 0) throw new ProviderLimited(wait_ms);
  }

  /** Reads a part of the catalog again while the provider is busy. */
  async readPatiently<Part>(read: () => Promise<Part>): Promise<Part> {
    const { clock } = this;
    const stopping = this.#stopping;
    for (let refusals = 0; ; ) {
      try {
        return await read();
      } catch (error) {
        const isRefused = error instanceof ProviderRefusal && error.errorCode === "RATE_LIMITED";
        if (isRefused) refusals += 1;
        const wait_ms = isRefused ? (error.retryAfter_ms ?? SECOND) : findTurn(error);
        if (wait_ms === undefined || refusals === TRIES || stopping.aborted) throw error;
        const endsAt = clock.now() + Math.min(wait_ms, MAX_REFUSED_WAIT_MS);
        if (!(await waitUntil(endsAt, clock, stopping))) throw error;
      }
    }
  }

  note(connection: ProviderConnection, status: number, retryAfter_ms: number | undefined): void {
    // The pause of a 503 concerns its own request: a carrier or biller may be down, not the provider.
    if (retryAfter_ms === undefined || status !== 429) return;
    this.#bucketOf(connection).pause(this.clock.now(), retryAfter_ms);
  }

  #bucketOf({ baseUrl, clientId, key }: ProviderConnection): Bucket {
    const id = createHash("sha256").update(`${baseUrl}\n${clientId}\n${key}`).digest("hex");
    const bucket = this.#buckets.get(id) ?? new Bucket(this.#rate);
    this.#buckets.set(id, bucket);
    return bucket;
  }
}

/** Returns the time until the reading's turn; undefined after another error, or for a late turn. */
function findTurn(error: unknown): number | undefined {
  const isSoon = error instanceof ProviderLimited && error.retryAfter_ms <= MAX_TURN_WAIT_MS;
  return isSoon ? error.retryAfter_ms : undefined;
}

/** Returns false if the program stops before `endsAt`. */
function waitUntil(endsAt: number, clock: Clock, stopping: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      resolve(false);
    };
    const cancel = clock.wakeAt(endsAt, () => {
      stopping.removeEventListener("abort", end);
      resolve(true);
    });
    stopping.addEventListener("abort", end, { once: true });
  });
}

class Bucket {
  readonly #rate: ProviderRate | undefined;
  #tokens: number;
  /** Time from which tokens are added; in the future during a pause. */
  #filledAt = -Infinity;
  /** Last turn that was announced to a purchase. */
  #announcedAt = -Infinity;
  #lastAt = -Infinity;

  constructor(rate: ProviderRate | undefined) {
    this.#rate = rate;
    this.#tokens = rate?.burst ?? 0;
  }

  /** Takes a token and returns 0, or returns the milliseconds until the next try. */
  take(priority: Priority, now: number): number {
    this.#refill(now);
    const rate = this.#rate;
    if (!rate) return this.#filledAt - now;
    const needed = 1 + RESERVED[priority] * (rate.burst - 1);
    const lacking_ms = (Math.max(needed - this.#tokens, 0) / rate.perSecond) * SECOND;
    const turnAt = this.#filledAt + Math.ceil(lacking_ms);
    if (priority !== "PURCHASE") {
      const freeAt = Math.max(turnAt, this.#announcedAt);
      if (freeAt > now) return freeAt - now;
    } else if (turnAt > now) {
      // Each purchase gets a turn of its own, so that they do not all come back at once.
      const interval_ms = Math.ceil(SECOND / rate.perSecond);
      this.#announcedAt = Math.max(turnAt, this.#announcedAt + interval_ms);
      return this.#announcedAt - now;
    }
    this.#tokens -= 1;
    return 0;
  }

  pause(now: number, pause_ms: number): void {
    this.#refill(now);
    const until = now + pause_ms;
    if (until <= this.#filledAt) return;
    this.#filledAt = until;
    this.#tokens = Math.min(this.#tokens, 1);
  }

  #refill(now: number): void {
    // A clock that is moved back must not lengthen a pause.
    const back_ms = Math.max(this.#lastAt - now, 0);
    this.#lastAt = now;
    this.#filledAt -= back_ms;
    this.#announcedAt -= back_ms;
    if (this.#filledAt >= now) return;
    if (this.#rate) {
      const { perSecond, burst } = this.#rate;
      const added = ((now - this.#filledAt) / SECOND) * perSecond;
      this.#tokens = Math.min(burst, this.#tokens + added);
    }
    this.#filledAt = now;
  }
}
