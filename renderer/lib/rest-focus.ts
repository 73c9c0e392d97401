/** Field of the open step, for which most typing is meant. */
const OWN_FIELD = "[data-counter-field]";

/**
 * Restores the focus after the focused element is gone: to the former element, else to the step's
 * own field, else to the screen.
 */
export function restFocus(before?: Element | null): void {
  focusFirst([before, document.querySelector(OWN_FIELD), document.querySelector("main")]);
}

export function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

export function restOnScreen(): void {
  const main = document.querySelector("main");
  if (main) {
    focusFirst([main]);
  } else if (document.activeElement instanceof HTMLElement) {
    document.activeElement.blur();
  }
}

/**
 * Removes the focus from an element that was pressed by touch or mouse, so that Enter remains the
 * key of the next step and no on-screen keyboard opens.
 */
export function letGo({ detail }: { readonly detail: number }): void {
  if (detail > 0) {
    restOnScreen();
  }
}

function focusFirst(places: readonly (Element | null | undefined)[]): void {
  for (const place of places) {
    if (!(place instanceof HTMLElement) || place === document.body || !place.isConnected) {
      continue;
    }
    if (place.tagName === "MAIN" && !place.hasAttribute("tabindex")) {
      place.tabIndex = -1;
    }
    place.focus({ preventScroll: true });
    if (document.activeElement === place) {
      return;
    }
  }
}
