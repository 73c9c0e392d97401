/** Keys that a keyboard on a screen has, too: in a field they say nothing of a real one. */
const ON_SCREEN_KEYS = new Set(["Enter", "Backspace", "Tab", "Unidentified", "Process"]);

/**
 * Whether keys are written on the controls: while a keyboard is used, and not while the till is worked by
 * touch. The page's root says so (`data-keys="off"`), for the styles.
 */
export function followKeyHints(root: HTMLElement, starts: "touch" | "keys"): () => void {
  const set = (isShown: boolean) => {
    if (isShown) {
      delete root.dataset.keys;
    } else {
      root.dataset.keys = "off";
    }
  };
  const onPointer = ({ pointerType }: PointerEvent) => {
    if (pointerType === "touch" || pointerType === "pen") {
      set(false);
    }
  };
  const onKey = ({ key, target }: KeyboardEvent) => {
    const isOnScreen = isField(target) && (key.length === 1 || ON_SCREEN_KEYS.has(key));
    if (!isOnScreen && key !== "Unidentified") {
      set(true);
    }
  };
  set(starts === "keys");
  window.addEventListener("pointerdown", onPointer, true);
  window.addEventListener("keydown", onKey, true);
  return () => {
    window.removeEventListener("pointerdown", onPointer, true);
    window.removeEventListener("keydown", onKey, true);
  };
}

/** A device that is worked by fingers until a key is pressed. */
export function startsByTouch(): boolean {
  return window.matchMedia("(hover: none) and (pointer: coarse)").matches;
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, [contenteditable]");
}
