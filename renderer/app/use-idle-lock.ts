import { useEffect, useEffectEvent, useState } from "react";
import { reportActivity } from "../features/session/api/session-queries.ts";

const MINUTE_MS = 60_000;
/** Interval of activity reports. The gateway tolerates slightly later reports. */
const REPORT_EVERY_MS = 20_000;
/** Time between the warning and the lock. */
export const WARNING_MS = 20_000;
const SECOND_MS = 1000;
/** Storage key of the time of the last input, which all windows of this device share. */
const TOUCHED_KEY = "tillgate.touched";
const TOUCHES = ["keydown", "pointerdown", "pointermove", "wheel"] as const;
/** Keys that only dismiss the warning: they must not pay a sale or leave a screen. */
const DECIDING = new Set(["Enter", " ", "Escape", "Delete", "Backspace"]);

/**
 * Locks a till after `minutes` without input; 0 turns the lock off. A till in use reports its
 * activity to the gateway, which ends the session when the reports stop. During the warning, any
 * key keeps the till open, and Enter has no other effect.
 * @returns seconds until the lock; undefined except during the warning
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
      // Ends the warning if another window has received input.
      warn(left > WARNING_MS ? undefined : left);
      timer = setTimeout(look, left > WARNING_MS ? left - WARNING_MS : Math.min(left, SECOND_MS));
    }

    function touch(event: Event) {
      const now = Date.now();
      // Locks at once after the machine slept, because its timers fire late and another person may
      // have woken it.
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
        // After a failed report, the next input sends a report.
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
