/** Keys of on-screen keyboards: in a field they do not prove a real keyboard. */
const ON_SCREEN_KEYS = new Set(["Enter", "Backspace", "Tab", "Unidentified", "Process"]);

/** Time that Alt is held before controls show their keys, in milliseconds. */
export const HELD_MS = 250;

/**
 * Sets which keys are visible on the controls, as an attribute of the page's root:
 * `data-keys="held"` shows all keys while Alt is held, `"off"` shows no keys after a touch. Without
 * the attribute, only the digits of tiles are visible.
 */
export function followKeyHints(root: HTMLElement, starts: "touch" | "keys"): () => void {
  let isByTouch = starts === "touch";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const set = (isHeld: boolean) => {
    clearTimeout(timer);
    timer = undefined;
    if (isHeld) root.dataset.keys = "held";
    else if (isByTouch) root.dataset.keys = "off";
    else delete root.dataset.keys;
  };
  const letGo = () => set(false);
  const onPointer = ({ pointerType }: PointerEvent) => {
    if (pointerType === "touch" || pointerType === "pen") {
      isByTouch = true;
      letGo();
    }
  };
  const onKey = ({ key, target, repeat }: KeyboardEvent) => {
    const isOnScreen = isField(target) && (key.length === 1 || ON_SCREEN_KEYS.has(key));
    if (isOnScreen || key === "Unidentified" || (repeat && key === "Alt")) {
      return;
    }
    isByTouch = false;
    letGo();
    if (key === "Alt") timer = setTimeout(() => set(true), HELD_MS);
  };
  const listeners = [
    ["pointerdown", onPointer],
    ["keydown", onKey],
    ["keyup", letGo],
    ["blur", letGo],
  ] as const;
  letGo();
  for (const [name, listener] of listeners) {
    window.addEventListener(name, listener as EventListener, true);
  }
  return () => {
    clearTimeout(timer);
    for (const [name, listener] of listeners) {
      window.removeEventListener(name, listener as EventListener, true);
    }
  };
}

/** Returns whether a device is operated by touch until a key is pressed. */
export function startsByTouch(): boolean {
  return window.matchMedia("(hover: none) and (pointer: coarse)").matches;
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, [contenteditable]");
}
