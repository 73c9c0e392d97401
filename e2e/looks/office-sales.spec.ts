import { expect, OWNER_PIN, test } from "../fixtures.ts";
import { signInAs } from "../support/look-shop.ts";
import { lookAtOffice, OFFICE_LANGUAGES } from "../support/looks.ts";
import { inTradedShop } from "../support/traded-shop.ts";

const VIEWS = ["find", "waiting", "cases", "brands", "reports", "owed"] as const;

for (const language of OFFICE_LANGUAGES) {
  test(`sales in the back office, ${language}`, ({ page }) =>
    inTradedShop(async ({ url }) => {
      await page.addInitScript(
        (chosen) => localStorage.setItem("tillgate.language", chosen),
        language,
      );
      await page.goto(url);
      await signInAs(page, "Olga", OWNER_PIN);
      for (const view of VIEWS) {
        await page.goto(`${url}/#/office/sales?view=${view}`);
        await expect(page.locator("main [aria-current=page]").first()).toBeVisible();
        await expect(page.locator("main [aria-busy=true]")).toHaveCount(0);
        await lookAtOffice(page, `office-sales-${view}-${language}`);
      }
    }));
}
