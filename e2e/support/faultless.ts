/** Screens that keep nobody out, looked at in the middle of a journey. */
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { waitForFades } from "./fades.ts";

const SIZES = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];

export async function expectNoFault(page: Page): Promise<void> {
  await waitForFades(page);
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
    .analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
}

/** Leaves a picture in both sizes, too. */
export async function look(page: Page, name: string): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await page.screenshot({ path: `artifacts/screens/${name}-${size.width}.png` });
  }
  await expectNoFault(page);
}
