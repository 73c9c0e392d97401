import type { Clock } from "./clock.ts";

/** What was asked did not answer in time. */
export class TimeoutError extends Error {
  constructor(timeout_ms: number) {
    super(`no answer within ${timeout_ms / 1000} s`);
    this.name = "TimeoutError";
  }
}

/**
 * Waits for work until it takes too long; its signal then aborts, and what comes of it later is
 * not looked at.
 * @throws TimeoutError; and what the work throws before
 */
export async function withTimeout<T>(
  clock: Pick<Clock, "now" | "wakeAt">,
  timeout_ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const late = Promise.withResolvers<never>();
  const cancel = clock.wakeAt(clock.now() + timeout_ms, () => {
    late.reject(new TimeoutError(timeout_ms));
    abort.abort();
  });
  try {
    return await Promise.race([work(abort.signal), late.promise]);
  } finally {
    cancel();
  }
}
