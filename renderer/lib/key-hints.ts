/** Keys of on-screen keyboards: in a field they do not prove a real keyboard. */
const ON_SCREEN_KEYS = new Set(["Enter", "Backspace", "Tab", "Unidentified", "Process"]);

/**
 * Shows key hints on controls while a keyboard is used, and hides them during touch operation, by the root's
 * attribute `data-keys="off"`.
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

/** Returns whether a device is operated by touch until a key is pressed. */
export function startsByTouch(): boolean {
  return window.matchMedia("(hover: none) and (pointer: coarse)").matches;
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, [contenteditable]");
}
