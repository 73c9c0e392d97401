import type { Clock } from "./clock.ts";

/** What was asked did not answer in time. */
export class TimeoutError extends Error {
  constructor(timeout_ms: number) {
    super(`no answer within ${timeout_ms / 1000} s`);
    this.name = "TimeoutError";
  }
}

type TimeoutClock = Pick<Clock, "now" | "wakeAt">;

interface Timeout {
  timeout_ms: number;
  /** What it ends with when it takes too long: a TimeoutError where nothing is given. */
  late?: Error;
}

/**
 * Waits for work until it takes too long; its signal then aborts, and what comes of it later is
 * not looked at.
 * @throws `late`; and what the work throws before
 */
export function withTimeout<T>(
  clock: TimeoutClock,
  timeout: Timeout,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return withDeadline(clock, timeout, (signal) => orAborted(signal, () => work(signal)));
}

/**
 * Runs work of several steps, whose signal aborts when all of it takes too long, or when `signal`
 * does. What then becomes of it is for the work to say, step by step: see `orAborted`.
 * @param timeout `givenUp`: the reason of the work's signal when `signal` aborts
 */
export async function withDeadline<T>(
  clock: TimeoutClock,
  timeout: Timeout & { signal?: AbortSignal | undefined; givenUp?: Error },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { timeout_ms, late, signal, givenUp } = timeout;
  const abort = new AbortController();
  // Made when it is late: an error records the stack, which takes longer than most work.
  const cancel = clock.wakeAt(clock.now() + timeout_ms, () =>
    abort.abort(late ?? new TimeoutError(timeout_ms)),
  );
  const giveUp = () => abort.abort(givenUp ?? signal?.reason);
  signal?.addEventListener("abort", giveUp, { once: true });
  if (signal?.aborted) giveUp();
  try {
    return await work(abort.signal);
  } finally {
    cancel();
    signal?.removeEventListener("abort", giveUp);
  }
}

/** The result of work, or the reason of the signal as soon as it aborts. */
export async function orAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  // Before the work has a listener of its own, so that the reason is what is thrown.
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work(), aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
