import { useScreenKeys } from "../../lib/use-screen-keys.ts";

/** What Alt+G does: presses the one button on the screen that has the key. */
export function pressGiveBack(): void {
  document.querySelector<HTMLButtonElement>("[data-give-back]")?.click();
}

/** Alt+G on a screen without a table of keys of its own. */
export function useGiveBackKey(): void {
  useScreenKeys((event) => {
    const isAlt = event.altKey && !event.ctrlKey && !event.metaKey;
    if (isAlt && !event.repeat && event.code === "KeyG") {
      event.preventDefault();
      pressGiveBack();
    }
  });
}
