/**
 * Resolves with the promise's value, or with undefined after the time limit. Leaves no timer
 * behind.
 */
export async function resolveWithin<Value>(
  promise: Promise<Value>,
  limitMs: number,
): Promise<Value | undefined> {
  const { promise: limit, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, limitMs, undefined);
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
}
