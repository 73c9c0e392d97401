import { useState } from "react";

/** The same value as before as long as nothing in it has changed, as JSON writes it. */
export function useSame<T>(value: T): T {
  const [kept, keep] = useState(value);
  if (JSON.stringify(kept) === JSON.stringify(value)) {
    return kept;
  }
  keep(value);
  return value;
}
