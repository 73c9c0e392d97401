/** The catalog in the back office: its offers, and what changed, on a phone too. */
import { expect, test } from "../fixtures.ts";
import { openShop } from "../support/look-shop.ts";
import { lookAt } from "../support/looks.ts";

for (const language of ["fr", "ar"] as const) {
  test(`the catalog, ${language}`, async ({ page, freshShop }) => {
    await openShop(page, freshShop, { language });
    await page.goto(`${freshShop.url}/#/office/catalog?brand=TIGO`);
    await expect(page.locator("main article").nth(2)).toBeVisible();
    await page.locator("main article label").first().click();
    await expect(page.locator("main article[data-state=OFF]").first()).toBeVisible();
    await lookAt(page, `office-catalog-${language}`, { isZoomed: false });
    await page.goto(`${freshShop.url}/#/office/catalog?view=history`);
    await expect(page.locator("main li").first()).toBeVisible();
    await lookAt(page, `office-catalog-history-${language}`, { isZoomed: false });
  });
}
