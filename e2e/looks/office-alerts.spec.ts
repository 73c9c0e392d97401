import { expect, test } from "../fixtures.ts";
import { openShop } from "../support/look-shop.ts";
import { lookAtOffice, OFFICE_LANGUAGES } from "../support/looks.ts";

for (const language of OFFICE_LANGUAGES) {
  test(`alerts, ${language}`, async ({ page, freshShop }) => {
    const look = (name: string) => lookAtOffice(page, `office-alerts-${name}-${language}`);
    await openShop(page, freshShop, { language, money: ["GTQ", "7.75"] });
    const setBalance = (available: number) =>
      page.request.put(`${freshShop.url}/pos/wallet/test-balance`, { data: { available } });
    await page.goto(`${freshShop.url}/#/office/overview`);
    await expect(page.locator("main h1")).toBeVisible();
    await setBalance(0);
    await expect(page.locator("main li[data-level=URGENT]")).toBeVisible({ timeout: 15_000 });
    await look("open");
    await setBalance(10_000);
    await expect(page.locator("main details summary")).toBeVisible({ timeout: 15_000 });
    await page.locator("main details summary").last().click();
    await look("resolved");
    await page.goto(`${freshShop.url}/#/office/settings?view=mail`);
    await page.locator("main form button[type=button]").last().click();
    await expect(page.locator("main fieldset")).toBeVisible();
    await look("mail");
  });
}
