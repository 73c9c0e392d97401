/** The timers that a wait needs; tests pass their own. */
export interface Ticker {
  now(): number;
  /** Calls `tick` every `intervalMs` until the returned function is called. */
  every(intervalMs: number, tick: () => void): () => void;
}

export interface SilenceOptions {
  readonly idleTimeoutMs: number;
  readonly ticker: Ticker;
  /** A measure that only changes while the work goes on, such as the bytes on the disk. */
  readonly measure: () => number;
  readonly onProgress: (measured: number) => void;
  readonly onSilence: () => void;
}

const LOOK_EVERY_MS = 500;

/**
 * Watches work for signs of life: a call of `heard()`, or a measure that changes. Calls `onSilence`
 * once when neither happened for `idleTimeoutMs`.
 */
export function watchSilence(options: SilenceOptions): { heard(): void; stop(): void } {
  const { idleTimeoutMs, ticker, measure, onProgress, onSilence } = options;
  let lastSign = ticker.now();
  let lastMeasure = measure();
  const stop = ticker.every(LOOK_EVERY_MS, () => {
    const measured = measure();
    if (measured !== lastMeasure) {
      lastMeasure = measured;
      lastSign = ticker.now();
      onProgress(measured);
    }
    if (ticker.now() - lastSign >= idleTimeoutMs) {
      stop();
      onSilence();
    }
  });
  return {
    heard: () => {
      lastSign = ticker.now();
    },
    stop,
  };
}

export const systemTicker: Ticker = {
  now: () => performance.now(),
  every: (intervalMs, tick) => {
    const timer = setInterval(tick, intervalMs);
    return () => clearInterval(timer);
  },
};
