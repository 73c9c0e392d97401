/** `window.tillgate` in a browser, as the desktop app puts it there: an updater and a printer. */
import type { Page } from "@playwright/test";

/**
 * Puts it into every page that is opened from here on, before any script of the till.
 * @returns what the updater has from then on: a version that is fetched and waits, or none
 */
export async function standInForDesktop(page: Page): Promise<(ready: boolean) => void> {
  let ready = false;
  await page.exposeFunction("isUpdateReady", () => ready);
  await page.addInitScript(() => {
    const isUpdateReady = Reflect.get(globalThis, "isUpdateReady") as () => Promise<boolean>;
    Object.assign(globalThis, {
      tillgate: {
        version: "0.1.0",
        print: () => Promise.resolve({ printed: true }),
        updateState: async () => ({ ready: await isUpdateReady() }),
      },
    });
  });
  return (isReady) => {
    ready = isReady;
  };
}
