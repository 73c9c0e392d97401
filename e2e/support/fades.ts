import type { Page } from "@playwright/test";

export async function waitForFades(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const fades = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().iterations === 1);
    await Promise.allSettled(fades.map(({ finished }) => finished));
  });
}
