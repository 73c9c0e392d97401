import { useEffect, useEffectEvent } from "react";
import { reportActivity } from "../features/session/api/session-queries.ts";

const MINUTE_MS = 60_000;
/** The gateway allows for this much of a delay, and some more. */
const REPORT_EVERY_MS = 20_000;
/** Every window of this device counts as the till: the last touch of any is kept here. */
const TOUCHED_KEY = "tillgate.touched";
const TOUCHES = ["keydown", "pointerdown", "pointermove", "wheel"] as const;

/**
 * Locks a till that nobody has touched for so many minutes; 0 never does. While somebody touches it
 * the gateway is told, which ends the session by itself where nobody tells it any more.
 */
export function useIdleLock(minutes: number, onIdle: () => void): void {
  const lock = useEffectEvent(onIdle);
  useEffect(() => {
    if (minutes === 0) {
      return undefined;
    }
    const idleMs = minutes * MINUTE_MS;
    let touchedAt = Date.now();
    let reportedAt = 0;
    let timer: ReturnType<typeof setTimeout>;

    function look() {
      const left = Math.max(touchedAt, readTouch()) + idleMs - Date.now();
      if (left <= 0) {
        lock();
      } else {
        timer = setTimeout(look, left);
      }
    }

    function touch() {
      const now = Date.now();
      // A machine that slept runs its timers late: who wakes it is not taken for who left it.
      if (now - Math.max(touchedAt, readTouch()) >= idleMs) {
        lock();
        return;
      }
      touchedAt = now;
      if (now - reportedAt >= REPORT_EVERY_MS) {
        reportedAt = now;
        localStorage.setItem(TOUCHED_KEY, String(now));
        // Unheard, it is said again with the next touch.
        reportActivity().catch(() => {
          reportedAt = 0;
        });
      }
    }

    timer = setTimeout(look, idleMs);
    for (const name of TOUCHES) {
      globalThis.addEventListener(name, touch, { capture: true, passive: true });
    }
    return () => {
      clearTimeout(timer);
      for (const name of TOUCHES) {
        globalThis.removeEventListener(name, touch, { capture: true });
      }
    };
  }, [minutes]);
}

function readTouch(): number {
  return Number(localStorage.getItem(TOUCHED_KEY) ?? 0) || 0;
}
