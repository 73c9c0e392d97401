import { useState } from "react";
import { nameOfStep, typedText } from "./counter-place.ts";
import type { Counter } from "./use-counter.ts";

/** What Enter could not go on without, from when it was pressed until something else is typed. */
export function useMissing({ state, control }: Counter) {
  const place = `${nameOfStep(state)} ${typedText(state)}`;
  const [tried, setTried] = useState<string>();
  return {
    missing: tried === place ? control.next.missing : undefined,
    onProceed: () => setTried(place),
  };
}
