import "./key-edge.ts";
import { isFocusLost, restFocus } from "./rest-focus.ts";

interface OpenDialog {
  /** The dialog's element, after it is rendered. */
  readonly node: () => HTMLElement | null;
  readonly close: () => void;
}

const open: OpenDialog[] = [];
const places = new WeakMap<OpenDialog, HTMLElement>();
/** Text typed into a dialog before it was rendered. */
const earlyText = new WeakMap<OpenDialog, string>();
/** Keys pressed while a dialog was open, including those that closed it. */
const ofDialogs = new WeakSet<Event>();

/**
 * Returns whether a key belongs to a dialog, and to nothing on the screen below it
 * (rules#key-dialog-first).
 */
export function isOfDialog(event: Event): boolean {
  return ofDialogs.has(event);
}

export function isDialogOpen(): boolean {
  return open.length > 0;
}

/**
 * Gives all keys and the focus to a dialog.
 * @returns a function that takes back the keys, and returns the focus to its former element
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
    // Runs after the render, at whose end React restores the previous focus.
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

/** Runs before any other code gets the key. */
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
    // The dialog's script is still loading. No element below gets the key; the dialog gets typed
    // text later.
    event.preventDefault();
    const isText = [...event.key].length === 1 && !event.ctrlKey && !event.altKey && !event.metaKey;
    if (isText) earlyText.set(top, (earlyText.get(top) ?? "") + event.key);
  } else if (!node.contains(document.activeElement) && !isAttached(event.target)) {
    focusInside(top);
    // Typed text goes into the dialog; a hidden button is not pressed.
    if ([...event.key].length > 1 || event.key === " ") {
      event.preventDefault();
    }
  }
}

/**
 * Reports that a dialog is rendered, and moves the focus into it.
 * @returns text that was typed before, for the dialog's field
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

/** Returns whether a dialog's field has an open list, which Escape closes before the dialog. */
function hasOwnEscape(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.getAttribute("data-mantine-stop-propagation") === "true"
  );
}

/** Returns whether a target is an open list of a dialog's field, rendered outside the dialog. */
function isAttached(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("[role=listbox]") !== null;
}

const FOCUSABLE = "input, textarea, select, button, a[href], [tabindex]";

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
