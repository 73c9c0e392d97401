import type { Page } from "@playwright/test";

/** What news has just pushed elsewhere can be seen there, and takes a finger (renderer/lib/steady-layout.ts). */
export async function waitForFades(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const fades = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().iterations === 1);
    await Promise.allSettled(fades.map(({ finished }) => finished));
  });
}
