/**
 * Source of time: only this file reads the time or sets timers, so that tests control the time.
 * Instants are integer milliseconds since 1970-01-01T00:00:00Z.
 */
export interface Clock {
  now(): number;
  /** Monotonic milliseconds since this process started, independent of the machine's clock. */
  running(): number;
  /** Calls `callback` once, not before `at`. The returned function cancels the call. */
  wakeAt(at: number, callback: () => void): () => void;
}

/** Maximum delay of `setTimeout`; a longer delay is split. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  running: () => performance.now(),
  wakeAt(at, callback) {
    let timer: NodeJS.Timeout;
    function arm(): void {
      const delay_ms = Math.max(0, at - Date.now());
      timer = setTimeout(
        () => (delay_ms > MAX_TIMER_MS ? arm() : callback()),
        Math.min(delay_ms, MAX_TIMER_MS),
      );
    }
    arm();
    return () => clearTimeout(timer);
  },
};

export function pause(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Calls `callback` in the next turn of the event loop. The returned function cancels the call. */
export function onNextTurn(callback: () => void): () => void {
  const turn = setImmediate(callback);
  return () => clearImmediate(turn);
}

/**
 * Returns a function that calls `read` at most once per turn of the event loop. All requests of a
 * turn arrive before this call, so no request gets an earlier value.
 */
export function oncePerTurn<Value>(read: () => Value): () => Value {
  let known: { value: Value } | undefined;
  return () => {
    if (!known) {
      known = { value: read() };
      onNextTurn(() => {
        known = undefined;
      });
    }
    return known.value;
  };
}

/** Formats an instant in RFC 3339, in UTC with three decimals and `Z` (rules#record-timestamps). */
export function toTimestamp(instant: number): string {
  if (instant !== last.instant) last = { instant, text: new Date(instant).toISOString() };
  return last.text;
}

/** The steps of a purchase repeat the same instant. */
let last = { instant: 0, text: "1970-01-01T00:00:00.000Z" };

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
