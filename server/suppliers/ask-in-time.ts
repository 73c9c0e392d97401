import { Problem } from "../contract/problem.ts";
import { type Clock, SECOND } from "../lib/clock.ts";

/** A caller waits at the other end of the line. */
const PATIENCE_MS = 10 * SECOND;

/**
 * Asks a provider on behalf of a waiting caller.
 * @throws Problem SYSTEM_UNAVAILABLE when it fails or does not answer in time
 */
export async function askInTime<T>(
  clock: Clock,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const silence = new Promise<never>((_resolve, reject) => {
    abort.signal.addEventListener("abort", () => reject(new Error("no answer")), { once: true });
  });
  const cancel = clock.wakeAt(clock.now() + PATIENCE_MS, () => abort.abort());
  try {
    return await Promise.race([ask(abort.signal), silence]);
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem("SYSTEM_UNAVAILABLE", "The provider does not answer. Try again shortly.");
  } finally {
    cancel();
  }
}
