import { useEffect } from "react";
import { isDialogOpen } from "../../../lib/open-dialogs.ts";
import { isFocusLost, restFocus, restOnScreen } from "../../../lib/rest-focus.ts";
import { underArrows } from "./counter-place.ts";
import type { Counter } from "./use-counter.ts";

/**
 * The focus follows the arrow keys to what they choose, returns to the step's own field from there, and
 * is never lost: where a step has no field, or the focused element is gone, the screen has it.
 */
export function useCounterFocus({ state }: Counter): void {
  const chosen = underArrows(state);
  useEffect(() => {
    if (chosen !== undefined) {
      document
        .querySelector<HTMLElement>(
          "[data-own-keys] [data-focused=true], [data-own-keys][data-focused=true]",
        )
        ?.focus({ preventScroll: true });
    } else if (document.activeElement?.closest("[data-own-keys]")) {
      restFocus();
    }
  }, [chosen]);
  useEffect(() => {
    if (isFocusLost() && !isDialogOpen()) {
      restOnScreen();
    }
  });
}
