import { useState } from "react";
import { nameOfStep, typedText } from "./counter-place.ts";
import type { Counter } from "./use-counter.ts";

/** What is missing for Enter to go on, from its press until something else is typed. */
export function useMissing({ state, control }: Counter) {
  const place = `${nameOfStep(state)} ${typedText(state)}`;
  const [tried, setTried] = useState<string>();
  return {
    // What was typed by mistake at the payment is said before Enter is pressed, too.
    missing: tried === place || state.sale.asksLook ? control.next.missing : undefined,
    onProceed: () => setTried(place),
  };
}
