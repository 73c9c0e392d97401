import { useCallback, useSyncExternalStore } from "react";
import { gatewayNow } from "./gateway-clock.ts";

/**
 * Returns the present by the gateway's clock, in whole steps of `intervalMs`, never ahead of the clock.
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
