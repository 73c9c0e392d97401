/**
 * A screen in both themes, in the shortest and the longest language and in one that runs from right
 * to left, at four sizes: no accessibility fault, nothing that scrolls sideways, and a picture to
 * look at.
 */
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const SIZES = [
  // 1280 × 800 at a zoom of 150 %.
  { width: 853, height: 533 },
  { width: 1024, height: 768 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];

export const LOOKS = (["light", "dark"] as const).flatMap((theme) =>
  (["en", "fr", "ar"] as const).map((language) => ({ theme, language })),
);

export async function lookAt(page: Page, name: string): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await page.screenshot({ path: `artifacts/screens/${name}-${size.width}.png` });
    expect(await overflow(page), `${name} is wider than ${size.width}`).toBe(0);
  }
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
    .analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
}

async function overflow(page: Page): Promise<number> {
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - innerWidth));
}
