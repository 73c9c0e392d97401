import { Problem } from "../contract/problem.ts";
import { type Clock, SECOND } from "../lib/clock.ts";
import { withTimeout } from "../lib/with-timeout.ts";

const ANSWER_TIMEOUT_MS = 10 * SECOND;

/** @throws Problem SYSTEM_UNAVAILABLE if the provider fails or times out */
export async function askInTime<T>(
  clock: Clock,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  try {
    return await withTimeout(clock, { timeout_ms: ANSWER_TIMEOUT_MS }, ask);
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem("SYSTEM_UNAVAILABLE", "The provider does not answer. Try again shortly.");
  }
}
