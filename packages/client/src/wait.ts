import { WaitTimeoutError } from "./errors.ts";

/** @throws the signal's reason if it aborts first */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    function abort(): void {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    }
    signal?.addEventListener("abort", abort, { once: true });
  });
}

export interface WaitOptions {
  /** Maximum wait. Default: 2 minutes. The gateway may process a purchase for 24 hours. */
  readonly timeoutMs?: number;
  /**
   * First interval between two reads. Later intervals grow to at most ten times the first. Default:
   * 0.5 s.
   */
  readonly intervalMs?: number;
  readonly signal?: AbortSignal;
}

const BACK_OFF = 1.5;
const MAX_BACK_OFF = 10;

/** @throws WaitTimeoutError with the last read record */
export async function waitUntilFinal<Item>(
  read: () => Promise<Item>,
  isFinal: (item: Item) => boolean,
  { timeoutMs = 120_000, intervalMs = 500, signal }: WaitOptions = {},
): Promise<Item> {
  const deadline = Date.now() + timeoutMs;
  for (let interval = intervalMs; ; ) {
    const item = await read();
    if (isFinal(item)) return item;
    const left = deadline - Date.now();
    if (left <= 0) throw new WaitTimeoutError(timeoutMs, item);
    await pause(Math.min(interval, left), signal);
    interval = Math.min(interval * BACK_OFF, intervalMs * MAX_BACK_OFF);
  }
}
