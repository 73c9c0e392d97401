import { systemClock } from "../lib/clock.ts";

const PAUSE_MS = 10;

/**
 * Waits in real time before the next poll of a state. A test's result must not depend on the
 * interval.
 */
export function nextPoll(interval_ms = PAUSE_MS): Promise<void> {
  return new Promise((resolve) => {
    systemClock.wakeAt(systemClock.now() + interval_ms, resolve);
  });
}

/**
 * Waits for a condition that does not depend on the test's clock, such as a response on a socket.
 */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) await nextPoll();
}

/**
 * Waits for a state that `work` causes.
 * @throws the error of `work`, if it fails first
 */
export async function untilBeside(
  work: Promise<unknown>,
  holds: () => Promise<boolean> | boolean,
): Promise<void> {
  let failure: { error: unknown } | undefined;
  work.catch((error: unknown) => {
    failure = { error };
  });
  await until(async () => failure !== undefined || (await holds()));
  if (failure) throw failure.error;
}
