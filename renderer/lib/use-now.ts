import { useCallback, useSyncExternalStore } from "react";
import { gatewayNow } from "./gateway-clock.ts";

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
