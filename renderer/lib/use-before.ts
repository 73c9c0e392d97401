import { useState } from "react";

/** Returns the values before their last change; at first, the current values. */
export function useBefore<T extends Readonly<Record<string, unknown>>>(values: T): T {
  const [kept, keep] = useState({ now: values, before: values });
  const isSame = Object.keys(values).every((name) => Object.is(kept.now[name], values[name]));
  if (isSame) {
    return kept.before;
  }
  keep({ now: values, before: kept.now });
  return kept.now;
}
