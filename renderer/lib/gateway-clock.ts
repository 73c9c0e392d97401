import { useCallback, useSyncExternalStore } from "react";

/** Clocks with a smaller difference count as equal. */
const SAME_MS = 60_000;

let offsetMs = 0;

export function noteGatewayTime(date: string | null): void {
  const at = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(at)) return;
  const difference = at - Date.now();
  offsetMs = Math.abs(difference) < SAME_MS ? 0 : difference;
}

/** Returns the current time of the gateway's clock, which dates all records. */
export function gatewayNow(): number {
  return Date.now() + offsetMs;
}

/**
 * Returns the gateway's current time, rounded down to a multiple of `intervalMs`.
 * Updates automatically while `running`; otherwise only on other renders.
 */
export function useNow(intervalMs = 1000, running = true): number {
  const subscribe = useCallback(
    (onTick: () => void) => {
      if (!running) {
        return doNothing;
      }
      const timer = setInterval(onTick, intervalMs);
      return () => clearInterval(timer);
    },
    [intervalMs, running],
  );
  return useSyncExternalStore(subscribe, () => Math.floor(gatewayNow() / intervalMs) * intervalMs);
}

function doNothing(): void {}
