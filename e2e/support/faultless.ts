import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { waitForFades } from "./fades.ts";

const SIZES = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/**
 * Returns axe's violations of WCAG AA, as "rule: element".
 * @param within CSS selector of the checked part; default is the whole page
 */
export async function findBarriers(page: Page, within?: string): Promise<string[]> {
  // The page keeps the source of axe (0.5 MB) after the first check.
  const isThere = await page.evaluate(() => "axe" in globalThis);
  const axe = new AxeBuilder({ page, ...(isThere && { axeSource: "0" }) })
    // Leaves out results that are not reported, and frames, which the till does not have.
    .options({ resultTypes: ["violations"], preload: false, iframes: false })
    .withTags(WCAG)
    .setLegacyMode();
  const { violations } = await (within === undefined ? axe : axe.include(within)).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/**
 * Expects no accessibility violation after the page's animations have ended.
 *
 */
export async function expectNoFault(page: Page, within?: string): Promise<void> {
  await waitForFades(page);
  expect(await findBarriers(page, within)).toEqual([]);
}

export async function look(page: Page, name: string): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await page.screenshot({ path: `artifacts/screens/${name}-${size.width}.png` });
  }
  await expectNoFault(page);
}
