import type { Page } from "@playwright/test";

/**
 * Replaces the browser's print dialog, which would wait for a person.
 * @returns a function that returns the contents of all prints so far
 */
export async function catchPrints(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const printed: string[] = [];
    Object.assign(globalThis, { printed });
    globalThis.print = () => {
      printed.push(document.querySelector("[data-print-sheet]")?.textContent ?? "nothing");
      globalThis.dispatchEvent(new Event("afterprint"));
    };
  });
  return () => page.evaluate(() => (globalThis as unknown as { printed: string[] }).printed);
}
