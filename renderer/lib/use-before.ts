import { useState } from "react";

/**
 * What these values were before any of them last changed; at first, what they are. An effect that acts on a
 * change compares with it.
 */
export function useBefore<T extends Readonly<Record<string, unknown>>>(values: T): T {
  const [kept, keep] = useState({ now: values, before: values });
  const isSame = Object.keys(values).every((name) => Object.is(kept.now[name], values[name]));
  if (isSame) {
    return kept.before;
  }
  keep({ now: values, before: kept.now });
  return kept.now;
}
