import { useCallback, useSyncExternalStore } from "react";

/**
 * The present in whole steps of `intervalMs`, never ahead of the clock. It goes on by itself while
 * `running`; otherwise it is looked at only when something else draws.
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
  return useSyncExternalStore(subscribe, () => Math.floor(Date.now() / intervalMs) * intervalMs);
}

function doNothing(): void {}
