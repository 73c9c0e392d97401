import { useCallback, useSyncExternalStore } from "react";
import { gatewayNow } from "./gateway-clock.ts";

/**
 * The present by the gateway's clock, in whole steps of `intervalMs`, never ahead of the clock. It goes on by itself while
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
  return useSyncExternalStore(subscribe, () => Math.floor(gatewayNow() / intervalMs) * intervalMs);
}

function doNothing(): void {}
