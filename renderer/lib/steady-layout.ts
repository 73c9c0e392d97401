/**
 * Nothing slides by itself. Room that can be known beforehand is kept by the screens; what news pushes
 * elsewhere all the same (a code that was delivered, a notice) is drawn anew where it then belongs:
 * it fades in there, and takes no finger until it can be seen. What follows a key or a finger at once
 * moves as it always did, since that is where the person looks.
 */

/** For so long after a key or a finger things move because of it. A browser counts what moves after 500 ms. */
const OWN_DOING_MS = 300;
/** What is painted later than this may be counted, though a key has changed it at once: the machine is busy. */
const LATE_MS = 450;
const FADE_MS = 160;
/** Rounding moves nothing, nor does a sign that trembles; a browser, too, counts from three pixels on. */
const LEAST_MOVE_PX = 2.5;
/** Of a table of thousands of rows only the first are in sight. */
const MOST_LOOKED_AT = 4000;

interface Place {
  readonly parent: Element;
  /** From where its line begins: from the right in a language that runs from there. */
  readonly start: number;
  readonly top: number;
}

/**
 * Looks at where everything in the page stands whenever it was changed, before that is painted.
 * @returns ends it
 */
export function keepLayoutSteady(page: Document): () => void {
  let places = new WeakMap<Node, Place>();
  let lastInput = Number.NEGATIVE_INFINITY;
  let width = innerWidth;
  let afterInput: ReturnType<typeof setTimeout> | undefined;
  const look = (isMoveShown: boolean) => {
    places = lookAround(page, places, isMoveShown && innerWidth === width);
    width = innerWidth;
    // What was drawn anew by this is no change of the page.
    changes.takeRecords();
  };
  let frame: number | undefined;
  const sinceInput = () => performance.now() - lastInput;
  const onInput = ({ timeStamp }: Event) => {
    lastInput = Math.min(timeStamp, performance.now());
    clearTimeout(afterInput);
    // What was changed and is not painted yet is looked at when it is.
    afterInput = setTimeout(() => frame === undefined && look(false), OWN_DOING_MS);
  };
  const onFrame = () => {
    frame = undefined;
    if (sinceInput() >= OWN_DOING_MS) look(sinceInput() >= LATE_MS);
  };
  // At once and not with the next frame: before that one the browser already looks what is under the mouse, and counts.
  const onChange = () => {
    if (sinceInput() >= OWN_DOING_MS) look(true);
    else frame ??= requestAnimationFrame(onFrame);
  };
  const changes = new MutationObserver(onChange);
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
  // In a window of another size everything stands elsewhere, and nothing in the page was changed.
  addEventListener("resize", onInput);
  // Nor is it where letters come later than the first words.
  page.fonts.addEventListener("loadingdone", onChange);
  return () => {
    changes.disconnect();
    clearTimeout(afterInput);
    if (frame !== undefined) cancelAnimationFrame(frame);
    removeEventListener("resize", onInput);
    page.fonts.removeEventListener("loadingdone", onChange);
    for (const event of events) {
      page.removeEventListener(event, onInput, { capture: true });
    }
  };
}

/** Where everything stands now; what stood elsewhere before is drawn anew if moves are shown. */
function lookAround(
  page: Document,
  known: WeakMap<Node, Place>,
  isMoveShown: boolean,
): WeakMap<Node, Place> {
  const places = new WeakMap<Node, Place>();
  const moved: Text[] = [];
  let left = MOST_LOOKED_AT;
  const isRtl = page.dir === "rtl";
  const isElsewhere = (node: Node, place: Place | undefined) => {
    if (place) places.set(node, place);
    return hasMoved(known.get(node), place);
  };
  const visit = (element: HTMLElement, isFading: boolean) => {
    for (const child of element.children) {
      const isHtml = child instanceof HTMLElement;
      if (!isHtml && !(child instanceof SVGElement)) continue;
      left -= 1;
      if (left < 0) return;
      // A name in other letters begins at its left on a page that runs from the right.
      const isFromRight = isRtl && getComputedStyle(child).direction === "rtl";
      const place = isHtml
        ? placeIn(element, child, isFromRight)
        : drawnIn(element, child, isFromRight);
      const words = wordsOf(child).filter((text) => isElsewhere(text, writtenIn(text)));
      moved.push(...words);
      const isOther = isElsewhere(child, place) || words.length > 0;
      const fades = !isFading && isMoveShown && isOther && !isSticky(child);
      if (fades) fadeIn(child);
      if (isHtml) visit(child, isFading || fades);
    }
  };
  visit(page.body, false);
  // Last, as where something stands is then worked out anew.
  if (isMoveShown) moved.forEach(writeAnew);
  return places;
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

function wordsOf(element: Element): Text[] {
  return [...element.childNodes].filter((node) => node instanceof Text);
}

/** Words in the middle of a box move in it when they become others, and when it grows. */
function writtenIn(words: Text): Place | undefined {
  const range = document.createRange();
  range.selectNodeContents(words);
  const [first] = range.getClientRects();
  let parent = words.parentElement;
  while (parent && getComputedStyle(parent).display === "inline") parent = parent.parentElement;
  if (!(first && parent)) return;
  const around = parent.getBoundingClientRect();
  const isFromRight = getComputedStyle(parent).direction === "rtl";
  const start = isFromRight
    ? around.right - first.right
    : first.left - around.left + parent.scrollLeft;
  return { parent, start, top: first.top - around.top + parent.scrollTop };
}

function hasMoved(before: Place | undefined, now: Place | undefined): boolean {
  return (
    now !== undefined &&
    before?.parent === now.parent &&
    (Math.abs(before.start - now.start) >= LEAST_MOVE_PX ||
      Math.abs(before.top - now.top) >= LEAST_MOVE_PX)
  );
}

/** It goes with what is scrolled, and that is no news. */
function isSticky(element: Element): boolean {
  return getComputedStyle(element).position === "sticky";
}

/** A browser remembers where words began until they can be seen again: not of those that are new in the page. */
function writeAnew(words: Text): void {
  words.parentNode?.insertBefore(words, words.nextSibling);
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
