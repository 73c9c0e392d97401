/** The field of the step that is open, which most of what is typed is meant for. */
const OWN_FIELD = "[data-counter-field]";

/**
 * Puts the focus where it belongs when what had it is gone or done: where it was before, else into
 * the step's own field, else on the screen itself. It never falls to the page, where a screen reader
 * begins at its top again.
 */
export function restFocus(before?: Element | null): void {
  focusFirst([before, document.querySelector(OWN_FIELD), document.querySelector("main")]);
}

/** Nothing has the focus: what had it is gone. */
export function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** Puts the focus on the screen itself, from where what is typed still goes into the step's own field. */
export function restOnScreen(): void {
  const main = document.querySelector("main");
  if (main) {
    focusFirst([main]);
  } else if (document.activeElement instanceof HTMLElement) {
    document.activeElement.blur();
  }
}

/**
 * What was pressed with a finger or the mouse lets go of the focus, so that Enter stays the one next
 * thing, and no keyboard comes up on a touch screen; keyboard users stay where they are.
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
