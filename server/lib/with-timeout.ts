import type { Clock } from "./clock.ts";

export class TimeoutError extends Error {
  constructor(timeout_ms: number) {
    super(`no answer within ${timeout_ms / 1000} s`);
    this.name = "TimeoutError";
  }
}

type TimeoutClock = Pick<Clock, "now" | "wakeAt">;

interface Timeout {
  timeout_ms: number;
  /** Error that is thrown after the timeout; default: a TimeoutError. */
  late?: Error;
}

/**
 * Runs work with a timeout. After the timeout, aborts the work's signal and ignores a later result.
 * @throws `late` after the timeout, or the error of the work
 */
export function withTimeout<T>(
  clock: TimeoutClock,
  timeout: Timeout,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return withDeadline(clock, timeout, (signal) => orAborted(signal, () => work(signal)));
}

/**
 * Runs work of several steps with one deadline. The work's signal aborts at the deadline, or when
 * `signal` aborts. Each step must handle the abort, for example with `orAborted`.
 * @param timeout `givenUp`: abort reason of the work's signal if `signal` aborts
 */
export async function withDeadline<T>(
  clock: TimeoutClock,
  timeout: Timeout & { signal?: AbortSignal | undefined; givenUp?: Error },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { timeout_ms, late, signal, givenUp } = timeout;
  const abort = new AbortController();
  // Creates the error only at the deadline, because recording a stack takes longer than most work.
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

/** Returns the result of the work, or throws the signal's reason as soon as the signal aborts. */
export async function orAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  // Listens before the work does, so that the signal's reason is thrown.
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work(), aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
