/**
 * Finds visible layout errors by measuring. Runs in the page, and is therefore self-contained.
 * Returns one sentence per error.
 */
export function findLayoutFaults(): string[] {
  const TOUCH_PX = 44;
  const MOUSE_PX = 36;
  const ROUNDING_PX = 1.5;
  const faults: string[] = [];
  const all = [...document.body.querySelectorAll<HTMLElement>("*")].filter(isSeen);

  if (document.documentElement.scrollWidth > innerWidth) {
    const { scrollWidth } = document.documentElement;
    faults.push(`the page is ${scrollWidth} wide in ${innerWidth}${sayWidest(document.body)}`);
  }
  for (const element of all) {
    if (isStrip(element)) checkStrip(element);
    else checkScroll(element);
    const texts = [...element.childNodes].filter(
      (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
    );
    for (const text of texts) {
      checkText(element, text);
      checkWords(element, text);
    }
    if (element instanceof HTMLInputElement && element.scrollWidth > element.clientWidth + 1) {
      faults.push(`the field ${say(element)} shows less than "${element.value}"`);
    }
    if (
      element.matches("button, a[href], select, [role=switch], [role=tab], input:not([hidden])")
    ) {
      checkTarget(element);
    }
  }
  checkPaintedOver();
  return [...new Set(faults)];

  function isSeen(element: HTMLElement): boolean {
    const { width, height } = element.getBoundingClientRect();
    return (
      width > 1 &&
      height > 1 &&
      element.closest("[inert], [aria-hidden=true], .spoken, [data-print-sheet], svg") === null &&
      !isInHiddenHead(element) &&
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    );
  }

  function isInHiddenHead(element: HTMLElement): boolean {
    const head = element.closest("thead");
    return head !== null && getComputedStyle(head).clipPath === "inset(50%)";
  }

  /** Returns whether an element is marked as a wide table or as a line that scrolls sideways. */
  function isStrip(element: HTMLElement): boolean {
    return element.matches("[data-strip]");
  }

  function checkStrip(element: HTMLElement): void {
    const { overflowX } = getComputedStyle(element);
    if (overflowX !== "auto" && element.scrollWidth > element.clientWidth + 1) {
      faults.push(`${say(element)} cannot be moved to its end`);
    }
  }

  function checkScroll(element: HTMLElement): void {
    const { overflowX, textOverflow, webkitLineClamp } = getComputedStyle(element);
    const isMeant = textOverflow === "ellipsis" || webkitLineClamp !== "none";
    const hidden = element.scrollWidth - element.clientWidth;
    if (overflowX !== "visible" && hidden > 1 && !isMeant && !element.matches("input, select")) {
      faults.push(`${say(element)} hides ${hidden} px at its side${sayWidest(element)}`);
    }
  }

  function sayWidest(element: HTMLElement): string {
    const { left, right } = element.getBoundingClientRect();
    const beyond = [...element.querySelectorAll<HTMLElement>("*")]
      .map((one) => ({ one, box: one.getBoundingClientRect() }))
      .map(({ one, box }) => ({ one, by: Math.max(left - box.left, box.right - right) }))
      .filter(({ by }) => by > 1)
      .toSorted((a, b) => b.by - a.by);
    return beyond[0] ? `, of ${say(beyond[0].one)}` : "";
  }

  /** Checks that text stays inside every box around it, and that only an intended "…" cuts it. */
  function checkText(element: HTMLElement, text: Node): void {
    // A text area wraps and scrolls its typed text itself.
    if (element.matches("textarea")) return;
    const range = document.createRange();
    range.selectNodeContents(text);
    const words = text.textContent?.trim() ?? "";
    const { left, right, top, bottom } = range.getBoundingClientRect();
    for (let box: HTMLElement | null = element; box !== null; box = box.parentElement) {
      const style = getComputedStyle(box);
      if (isStrip(box)) return;
      if (style.display === "inline" || style.display === "contents") continue;
      const around = box.getBoundingClientRect();
      const isWider = left < around.left - ROUNDING_PX || right > around.right + ROUNDING_PX;
      const isClipped = style.overflowX !== "visible";
      if (isWider && style.textOverflow === "ellipsis" && isClipped) {
        if (isFigure(words)) faults.push(`the figure "${words}" is cut in ${say(box)}`);
        return;
      }
      if (isWider && style.webkitLineClamp === "none") {
        faults.push(`"${words}" is wider than ${say(box)}`);
        return;
      }
      const isCut = top < around.top - ROUNDING_PX * 2 || bottom > around.bottom + ROUNDING_PX * 2;
      if (isCut && (style.overflowY === "hidden" || style.overflowY === "clip")) {
        if (style.webkitLineClamp === "none") faults.push(`"${words}" is cut by ${say(box)}`);
        return;
      }
      if (style.overflowY === "auto" || style.overflowY === "scroll") return;
      if (style.position === "absolute" || style.position === "fixed") return;
    }
  }

  /**
   * Finds words broken across two lines, as in "PedidosY/a". Ignores codes, addresses and words
   * longer than a line.
   */
  function checkWords(element: HTMLElement, text: Node): void {
    const range = document.createRange();
    const alone = /(?<!\S)\p{P}*(\p{L}{3,20})\p{P}*(?!\S)/gu;
    for (const { 0: around, 1: word = "", index: start } of (text.textContent ?? "").matchAll(
      alone,
    )) {
      const index = start + around.indexOf(word);
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom)));
      if (lines.size > 1) faults.push(`"${word}" is broken inside in ${say(element)}`);
    }
  }

  function checkPaintedOver(): void {
    const texts = all.flatMap((element) => {
      const words = [...element.childNodes].filter(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
      );
      if (words.length === 0 || isApart(element) || isUnderDialog(element)) return [];
      return words.flatMap((node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        return [...range.getClientRects()].map((rect) => ({
          element,
          rect: shownOf(element, rect),
        }));
      });
    });
    for (const [index, one] of texts.entries()) {
      for (const other of texts.slice(index + 1)) {
        const wide =
          Math.min(one.rect.right, other.rect.right) - Math.max(one.rect.left, other.rect.left);
        const high =
          Math.min(one.rect.bottom, other.rect.bottom) - Math.max(one.rect.top, other.rect.top);
        const least = Math.min(one.rect.bottom - one.rect.top, other.rect.bottom - other.rect.top);
        if (wide > 2 && high > least / 2 && one.element !== other.element) {
          faults.push(`${say(one.element)} is painted over ${say(other.element)}`);
        }
      }
    }
  }

  /** Returns whether an element stays in place while content scrolls behind it. */
  function isApart(element: HTMLElement): boolean {
    return [element, ...ancestorsOf(element)].some((box) =>
      ["sticky", "fixed", "absolute"].includes(getComputedStyle(box).position),
    );
  }

  function isUnderDialog(element: HTMLElement): boolean {
    return document.querySelector("[role=dialog]")?.contains(element) === false;
  }

  /** Returns the visible part of a box, within the scrolling boxes around it. */
  function shownOf(element: HTMLElement, { left, right, top, bottom }: DOMRect) {
    const shown = { left, right, top, bottom };
    for (const box of [element, ...ancestorsOf(element)]) {
      const { overflowX, overflowY, display } = getComputedStyle(box);
      if (display === "inline" || display === "contents") continue;
      const around = box.getBoundingClientRect();
      if (overflowX !== "visible") {
        shown.left = Math.max(shown.left, around.left);
        shown.right = Math.min(shown.right, around.right);
      }
      if (overflowY !== "visible") {
        shown.top = Math.max(shown.top, around.top);
        shown.bottom = Math.min(shown.bottom, around.bottom);
      }
    }
    return shown;
  }

  function isFigure(words: string): boolean {
    return /\d[.,]\d{2}\b|^\W*[A-Z]{3}\W\d|\d\W[A-Z]{3}$/.test(words);
  }

  function checkTarget(element: HTMLElement): void {
    const label = element.closest("label") ?? element;
    const field = element instanceof HTMLInputElement ? targetOf(element) : label;
    const { left, top, width, height } = field.getBoundingClientRect();
    // Rows of the side navigation are lower where only a mouse points.
    const isForMouse = element.closest("nav") && matchMedia("not (any-pointer: coarse)").matches;
    const least = isForMouse ? MOUSE_PX : TOUCH_PX;
    if (height < least - 0.5 || width < TOUCH_PX - 0.5) {
      faults.push(
        `${say(field)} is ${Math.round(width)} × ${Math.round(height)}, too small to press`,
      );
    }
    const x = left + width / 2;
    const y = top + height / 2;
    const found = document.elementFromPoint(x, y);
    const isScrolledAway = [...ancestorsOf(field)].some((box) => {
      const { overflowY } = getComputedStyle(box);
      const around = box.getBoundingClientRect();
      const edge = TOUCH_PX / 4;
      const isBeside = isStrip(box) && (x < around.left + edge || x > around.right - edge);
      const isAbove =
        overflowY !== "visible" && (y < around.top + edge || y > around.bottom - edge);
      return isBeside || isAbove;
    });
    // A fixed element at the window's end may cover content that scrolls behind that element.
    const isBelow = found !== null && isApart(found as HTMLElement) && !isApart(field);
    if (found && !isScrolledAway && !isBelow && !isUnderDialog(field) && !belongs(field, found)) {
      faults.push(`${say(field)} lies under ${say(found)}`);
    }
  }

  function belongs(field: HTMLElement, found: Element): boolean {
    const shared = found.closest("label, .mantine-Input-wrapper, fieldset, li, button");
    return field.contains(found) || found.contains(field) || shared?.contains(field) === true;
  }

  function targetOf(input: HTMLInputElement): HTMLElement {
    const label = input.id ? document.querySelector<HTMLElement>(`label[for="${input.id}"]`) : null;
    const isDrawnByLabel = input.type === "radio" || input.type === "checkbox";
    return (isDrawnByLabel ? (label ?? input.closest("label")) : null) ?? input;
  }

  function* ancestorsOf(element: HTMLElement): Generator<HTMLElement> {
    for (let box = element.parentElement; box !== null; box = box.parentElement) yield box;
  }

  function say(element: Element): string {
    const name = element.tagName.toLowerCase();
    const style = element.getAttribute("class")?.split(" ")[0] ?? "";
    const words = (element.getAttribute("aria-label") ?? element.textContent ?? "").trim();
    return `<${name} class="${style}"> "${words.slice(0, 40)}"`;
  }
}
