import { useState } from "react";

/** Returns the previous value if its JSON equals that of the new value. */
export function useSame<T>(value: T): T {
  const [kept, keep] = useState(value);
  if (JSON.stringify(kept) === JSON.stringify(value)) {
    return kept;
  }
  keep(value);
  return value;
}
