/**
 * The only place that reads the time or sets a timer. Instants are integer milliseconds since
 * 1970-01-01T00:00:00Z; everything else in the server takes a `Clock`, so that a test can own it.
 */
export interface Clock {
  now(): number;
  /**
   * Milliseconds that this process has been running: it only goes forward, whatever happens to the
   * machine's clock, and begins anew with each start.
   */
  running(): number;
  /** Calls back once, not before `at`; the returned function cancels it. */
  wakeAt(at: number, callback: () => void): () => void;
}

/** `setTimeout` cannot wait longer than this; a longer wait is cut into pieces. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  running: () => performance.now(),
  wakeAt(at, callback) {
    let timer: NodeJS.Timeout;
    function arm(): void {
      const delay_ms = Math.max(0, at - Date.now());
      timer = setTimeout(
        () => (delay_ms > LONGEST_TIMER_MS ? arm() : callback()),
        Math.min(delay_ms, LONGEST_TIMER_MS),
      );
    }
    arm();
    return () => clearTimeout(timer);
  },
};

/** Lets whatever else is due have its turn, in the middle of long work. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Calls back when the event loop has turned; the returned function cancels it. */
export function onNextTurn(callback: () => void): () => void {
  const turn = setImmediate(callback);
  return () => clearImmediate(turn);
}

/**
 * Reads at most once in a turn of the event loop: whatever asks again in the same one gets the same. The
 * requests that are read in a turn had arrived before it, so that none is older to them than itself.
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

/** RFC 3339, UTC, three decimals and `Z` (rules#record-timestamps). */
export function toTimestamp(instant: number): string {
  return new Date(instant).toISOString();
}

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
