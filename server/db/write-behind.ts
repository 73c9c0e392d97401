import type { Tx } from "./handles.ts";

/** Unconfirmed writes of each transaction, in the order in which they were sent. */
const unconfirmed = new WeakMap<Tx, Promise<void>[]>();

/**
 * Lets a transaction continue while its writes are on the way (docs/decisions/0098). The engine
 * must run statements in the order of their sending, and refuse all statements after a failed one.
 */
export function startWriteBehind(tx: Tx): void {
  unconfirmed.set(tx, []);
}

/**
 * Sends a write without waiting for its result. Later statements of the transaction see the write.
 * If the write or its check fails, the body of the transaction fails at its end with this error,
 * and is rolled back. Waits for the result if the engine runs one statement at a time.
 * @param write must be a compiled query (`compileOnce`), which is sent at once. No value that
 * `readOnceInGroup` reads may depend on it
 * @param check throws if the result prevents the transaction
 */
export async function writeBehind<Result>(
  tx: Tx,
  write: Promise<Result>,
  check: (result: Result) => void = () => {},
): Promise<void> {
  const checked = write.then(check);
  const sent = unconfirmed.get(tx);
  if (!sent) return checked;
  // The end of the body reports the error.
  checked.catch(() => {});
  sent.push(checked);
}

/**
 * Waits until all writes of a transaction are confirmed.
 * @throws the error of the first failed write
 */
export async function confirmWrites(tx: Tx): Promise<void> {
  const sent = unconfirmed.get(tx)?.splice(0) ?? [];
  if (sent.length === 0) return;
  await Promise.allSettled(sent);
  await Promise.all(sent);
}
