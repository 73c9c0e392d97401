import { isRunByNpm } from "../config/env.ts";
import { SECOND, systemClock } from "../lib/clock.ts";

const PARENT_CHECK_MS = SECOND;

/** Resolves at a signal, or when npm's shell ends: the shell does not forward signals. */
export function waitForSignal(): Promise<void> {
  const parent = process.ppid;
  return new Promise((resolve) => {
    let unwatch = () => {};
    const end = () => {
      unwatch();
      resolve();
    };
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, end);
    const watch = () => {
      if (process.ppid !== parent) return end();
      unwatch = systemClock.wakeAt(systemClock.now() + PARENT_CHECK_MS, watch);
    };
    if (isRunByNpm()) watch();
  });
}
