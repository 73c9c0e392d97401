import { useState } from "react";

export function useOnceTrue(now: boolean): boolean {
  const [was, setWas] = useState(now);
  if (now && !was) setWas(true);
  return now || was;
}

/** Returns the previous value if its JSON equals that of the new value. */
export function useSame<T>(value: T): T {
  const [kept, keep] = useState(value);
  if (JSON.stringify(kept) === JSON.stringify(value)) {
    return kept;
  }
  keep(value);
  return value;
}

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
