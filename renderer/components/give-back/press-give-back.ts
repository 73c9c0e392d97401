import { useEffect } from "react";

/** What Alt+G does: presses the one button on the screen that has the key. */
export function pressGiveBack(): void {
  document.querySelector<HTMLButtonElement>("[data-give-back]")?.click();
}

/** Alt+G on a screen that has no table of keys of its own. */
export function useGiveBackKey(): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const isAlt = event.altKey && !event.ctrlKey && !event.metaKey;
      if (isAlt && !event.repeat && event.code === "KeyG") {
        event.preventDefault();
        pressGiveBack();
      }
    }
    globalThis.addEventListener("keydown", onKeyDown);
    return () => globalThis.removeEventListener("keydown", onKeyDown);
  }, []);
}
