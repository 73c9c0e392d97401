import { expect, test } from "../fixtures.ts";
import { openShop } from "../support/look-shop.ts";
import { lookAtOffice, OFFICE_LANGUAGES } from "../support/looks.ts";

for (const language of OFFICE_LANGUAGES) {
  test(`the wallet, ${language}`, async ({ page, freshShop }) => {
    await openShop(page, freshShop, { language });
    await page.goto(`${freshShop.url}/#/office/wallet`);
    await expect(page.locator("main form")).toHaveCount(3);
    await lookAtOffice(page, `office-wallet-${language}`);
    await page.locator("main nav button").nth(1).click();
    await expect(page.locator("main ol li").first()).toBeVisible();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.screenshot({
      path: `artifacts/screens/office-wallet-statement-${language}-390.png`,
    });
    await lookAtOffice(page, `office-wallet-statement-${language}`);
  });
}
