import { systemClock } from "../lib/clock.ts";

const PAUSE_MS = 10;

/** Waits for something that happens outside the test's clock, such as an answer by a socket. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) {
    await new Promise<void>((resolve) => {
      systemClock.wakeAt(systemClock.now() + PAUSE_MS, resolve);
    });
  }
}
