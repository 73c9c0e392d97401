import "./key-edge.ts";
import { isFocusLost, restFocus } from "./rest-focus.ts";

/** A dialog that stands over the screen. */
interface OpenDialog {
  /** Its element, once it is there. */
  readonly node: () => HTMLElement | null;
  readonly close: () => void;
}

const open: OpenDialog[] = [];
/** Where the focus was last inside each of them. */
const places = new WeakMap<OpenDialog, HTMLElement>();
/** What was typed into a dialog before it was drawn. */
const earlyText = new WeakMap<OpenDialog, string>();
/** Keys that were pressed while a dialog was open, also when they have closed it since. */
const ofDialogs = new WeakSet<Event>();

/** Whether a key belongs to a dialog, and to nothing on the screen below it (rules#key-dialog-first). */
export function isOfDialog(event: Event): boolean {
  return ofDialogs.has(event);
}

export function isDialogOpen(): boolean {
  return open.length > 0;
}

/**
 * Registers an open dialog. Until the returned function is called, every key is the dialog's, Escape
 * closes it alone, and the focus stays inside; then the focus returns to where it was.
 */
export function openDialog(dialog: OpenDialog): () => void {
  const before = document.activeElement;
  open.push(dialog);
  if (!dialog.node()?.contains(before)) {
    focusInside(dialog);
  }
  return () => {
    open.splice(open.indexOf(dialog), 1);
    const node = dialog.node();
    // Not while the screen is being drawn anew, which ends with the focus where it began.
    queueMicrotask(() => {
      if (isFocusLost() || node?.contains(document.activeElement)) {
        giveFocusBack(before);
      }
    });
  };
}

function giveFocusBack(before: Element | null): void {
  const below = open.at(-1);
  if (below) {
    focusInside(below);
  } else {
    restFocus(before);
  }
}

/** Before any other part of the page gets the key. */
globalThis.addEventListener("keydown", onKeyDown, { capture: true });
document.addEventListener("focusin", onFocus);

function onKeyDown(event: KeyboardEvent): void {
  const top = open.at(-1);
  if (!top) {
    return;
  }
  ofDialogs.add(event);
  const node = top.node();
  if (event.key === "Escape" && !event.isComposing && !hasOwnEscape(event.target)) {
    event.preventDefault();
    top.close();
  } else if (!node) {
    // Its script is still being fetched. Nothing below gets the key, and what is typed is kept for it.
    event.preventDefault();
    const isText = [...event.key].length === 1 && !event.ctrlKey && !event.altKey && !event.metaKey;
    if (isText) earlyText.set(top, (earlyText.get(top) ?? "") + event.key);
  } else if (!node.contains(document.activeElement) && !isAttached(event.target)) {
    focusInside(top);
    // Typed text goes into the dialog; nothing unseen is pressed.
    if ([...event.key].length > 1 || event.key === " ") {
      event.preventDefault();
    }
  }
}

/**
 * Says that a dialog is on the screen now: the focus goes into it.
 * @returns what was typed for it before, which its field gets
 */
export function dialogDrawn(content: HTMLElement): string {
  const drawn = open.find((dialog) => dialog.node()?.contains(content));
  const text = drawn && earlyText.get(drawn);
  if (!drawn || text === undefined) {
    return "";
  }
  earlyText.delete(drawn);
  focusInside(drawn);
  return text;
}

function onFocus({ target }: FocusEvent): void {
  const top = open.at(-1);
  const node = top?.node();
  if (!top || !node || !(target instanceof HTMLElement) || isAttached(target)) {
    return;
  }
  if (node.contains(target)) {
    places.set(top, target);
  } else {
    focusInside(top);
  }
}

/** A list that a field of the dialog has opened, which closes before the dialog does. */
function hasOwnEscape(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.getAttribute("data-mantine-stop-propagation") === "true"
  );
}

/** What a field of the dialog shows beside it, outside its element. */
function isAttached(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("[role=listbox]") !== null;
}

const FOCUSABLE = "input, textarea, select, button, a[href], [tabindex]";

/** Where it was last, else where the dialog begins. */
function focusInside(dialog: OpenDialog): void {
  const node = dialog.node();
  const last = places.get(dialog);
  const first = [...(node?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])].filter(
    (one) => one.tabIndex >= 0 && !one.matches(":disabled"),
  );
  const wanted = [last, node?.querySelector<HTMLElement>("[data-autofocus]"), ...first, node];
  for (const place of wanted) {
    if (place?.isConnected && node?.contains(place)) {
      place.focus({ preventScroll: true });
      if (document.activeElement === place) {
        return;
      }
    }
  }
}
