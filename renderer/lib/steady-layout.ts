/**
 * Nothing slides by itself. Room that can be known beforehand is kept by the screens; what news pushes
 * elsewhere all the same (a code that was delivered, a notice) is drawn anew where it then belongs:
 * it fades in there, and takes no finger until it can be seen. What follows a key or a finger at once
 * moves as it always did, since that is where the person looks.
 */

/** For so long after a key or a finger things move because of it. A browser counts what moves after 500 ms. */
const OWN_DOING_MS = 300;
const FADE_MS = 160;
/** Rounding moves nothing, nor does a sign that trembles; a browser, too, counts from three pixels on. */
const LEAST_MOVE_PX = 2.5;
/** Of a table of thousands of rows only the first are in sight. */
const MOST_LOOKED_AT = 4000;

interface Place {
  readonly parent: Element;
  readonly start: number;
  readonly top: number;
}

/**
 * Looks at where everything in the page stands whenever it was changed, before that is painted.
 * @returns ends it
 */
export function keepLayoutSteady(page: Document): () => void {
  let places = new WeakMap<Element, Place>();
  let lastInput = Number.NEGATIVE_INFINITY;
  let width = innerWidth;
  let afterInput: ReturnType<typeof setTimeout> | undefined;
  const look = (isMoveShown: boolean) => {
    const isSameWidth = innerWidth === width;
    width = innerWidth;
    const known = places;
    places = new WeakMap();
    let left = MOST_LOOKED_AT;
    const isRtl = page.dir === "rtl";
    const visit = (element: HTMLElement, isFading: boolean) => {
      for (const child of element.children) {
        const isHtml = child instanceof HTMLElement;
        if (!isHtml && !(child instanceof SVGElement)) continue;
        left -= 1;
        if (left < 0) return;
        const place = isHtml ? placeIn(element, child, isRtl) : drawnIn(element, child, isRtl);
        const before = known.get(child);
        places.set(child, place);
        const fades =
          !isFading && isMoveShown && isSameWidth && hasMoved(before, place) && !isSticky(child);
        if (fades) fadeIn(child);
        if (isHtml) visit(child, isFading || fades);
      }
    };
    visit(page.body, false);
  };
  const onInput = ({ timeStamp }: Event) => {
    lastInput = timeStamp;
    clearTimeout(afterInput);
    afterInput = setTimeout(() => look(false), OWN_DOING_MS);
  };
  // At once and not with the next frame: before that one the browser already looks what is under the mouse, and counts.
  const changes = new MutationObserver(() => {
    if (performance.now() - lastInput >= OWN_DOING_MS) look(true);
  });
  changes.observe(page.body, {
    attributes: true,
    characterData: true,
    childList: true,
    subtree: true,
  });
  const events = ["keydown", "pointerdown"] as const;
  for (const event of events) {
    page.addEventListener(event, onInput, { capture: true, passive: true });
  }
  return () => {
    changes.disconnect();
    clearTimeout(afterInput);
    for (const event of events) {
      page.removeEventListener(event, onInput, { capture: true });
    }
  };
}

/** Where it stands in its parent, whatever is scrolled. */
function placeIn(parent: HTMLElement, element: HTMLElement, isRtl: boolean): Place {
  const { offsetParent } = element;
  // What is fixed to the window is measured from there.
  const isOwn = offsetParent === parent || offsetParent === null;
  const left = element.offsetLeft - (isOwn ? 0 : parent.offsetLeft);
  const top = element.offsetTop - (isOwn ? 0 : parent.offsetTop);
  const start = isRtl ? parent.offsetWidth - left - element.offsetWidth : left;
  return { parent, start, top };
}

/** A drawing knows only where it is on the screen. */
function drawnIn(parent: HTMLElement, drawing: SVGElement, isRtl: boolean): Place {
  const [around, own] = [parent.getBoundingClientRect(), drawing.getBoundingClientRect()];
  const start = isRtl ? around.right - own.right : own.left - around.left + parent.scrollLeft;
  return { parent, start, top: own.top - around.top + parent.scrollTop };
}

function hasMoved(before: Place | undefined, { parent, start, top }: Place): boolean {
  return (
    before?.parent === parent &&
    (Math.abs(before.start - start) >= LEAST_MOVE_PX || Math.abs(before.top - top) >= LEAST_MOVE_PX)
  );
}

/** It goes with what is scrolled, and that is no news. */
function isSticky(element: Element): boolean {
  return getComputedStyle(element).position === "sticky";
}

function fadeIn(element: Element): void {
  element.animate(
    [
      { opacity: 0, pointerEvents: "none" },
      { opacity: 1, pointerEvents: "none" },
    ],
    FADE_MS,
  );
}
