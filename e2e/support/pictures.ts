import { expect, type Page } from "@playwright/test";

/**
 * Takes a picture for the README or the guides: `docs/images` contains copies of
 * `artifacts/screens/readme-*.png`.
 */
export async function takePicture(page: Page, name: string): Promise<void> {
  await expect(page.locator('[aria-hidden=true][class*="_flag_"]:empty')).toHaveCount(0);
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: `artifacts/screens/readme-${name}.png` });
}
