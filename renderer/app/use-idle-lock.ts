import { useEffect, useEffectEvent, useState } from "react";
import { reportActivity } from "../features/session/api/session-queries.ts";

const MINUTE_MS = 60_000;
/** Interval of activity reports. The gateway tolerates a slightly longer delay. */
const REPORT_EVERY_MS = 20_000;
/** Time between the warning and the lock. */
export const WARNING_MS = 20_000;
const SECOND_MS = 1000;
/** All windows of this device share the time of the last input. */
const TOUCHED_KEY = "tillgate.touched";
const TOUCHES = ["keydown", "pointerdown", "pointermove", "wheel"] as const;
/** Keys that only dismiss the warning: they must not pay a sale or leave a screen. */
const DECIDING = new Set(["Enter", " ", "Escape", "Delete", "Backspace"]);

/**
 * Locks a till after `minutes` without input; 0 turns the lock off. A used till reports to the
 * gateway, which ends the session when reports stop. During the announced last seconds any key
 * keeps the till open, and Enter has no other effect.
 */
export function useIdleLock(minutes: number, onIdle: () => void): number | undefined {
  const lock = useEffectEvent(onIdle);
  const [secondsLeft, setSecondsLeft] = useState<number>();
  useEffect(() => {
    if (minutes === 0) {
      return undefined;
    }
    const idleMs = minutes * MINUTE_MS;
    let touchedAt = Date.now();
    let reportedAt = 0;
    let isWarning = false;
    let timer: ReturnType<typeof setTimeout>;

    function warn(left: number | undefined) {
      isWarning = left !== undefined;
      setSecondsLeft(left === undefined ? undefined : Math.ceil(left / SECOND_MS));
    }

    function look() {
      const left = Math.max(touchedAt, readTouch()) + idleMs - Date.now();
      if (left <= 0) {
        warn(undefined);
        lock();
        return;
      }
      // Another window may have received input during the warning.
      warn(left > WARNING_MS ? undefined : left);
      timer = setTimeout(look, left > WARNING_MS ? left - WARNING_MS : Math.min(left, SECOND_MS));
    }

    function touch(event: Event) {
      const now = Date.now();
      // Timers fire late after the machine slept: another person may have woken it.
      if (now - Math.max(touchedAt, readTouch()) >= idleMs) {
        lock();
        return;
      }
      touchedAt = now;
      if (isWarning) {
        warn(undefined);
        clearTimeout(timer);
        timer = setTimeout(look, idleMs - WARNING_MS);
        if (event instanceof KeyboardEvent && DECIDING.has(event.key)) {
          event.preventDefault();
          event.stopImmediatePropagation();
        }
      }
      if (now - reportedAt >= REPORT_EVERY_MS) {
        reportedAt = now;
        localStorage.setItem(TOUCHED_KEY, String(now));
        // After a failed report, the next input sends one.
        reportActivity().catch(() => {
          reportedAt = 0;
        });
      }
    }

    timer = setTimeout(look, idleMs - WARNING_MS);
    for (const name of TOUCHES) {
      globalThis.addEventListener(name, touch, { capture: true, passive: name !== "keydown" });
    }
    return () => {
      clearTimeout(timer);
      setSecondsLeft(undefined);
      for (const name of TOUCHES) {
        globalThis.removeEventListener(name, touch, { capture: true });
      }
    };
  }, [minutes]);
  return secondsLeft;
}

function readTouch(): number {
  return Number(localStorage.getItem(TOUCHED_KEY) ?? 0) || 0;
}
