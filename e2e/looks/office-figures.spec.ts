import type { Page } from "@playwright/test";
import { expect, OWNER_PIN, test } from "../fixtures.ts";
import { signInAs } from "../support/look-shop.ts";
import { DIRECTIONS, lookAtOffice } from "../support/looks.ts";
import { inTradedShop } from "../support/traded-shop.ts";

for (const language of DIRECTIONS) {
  test(`figures, ${language}`, ({ page }) =>
    inTradedShop(async ({ url }) => {
      await page.addInitScript(
        (chosen) => localStorage.setItem("tillgate.language", chosen),
        language,
      );
      await page.goto(url);
      await signInAs(page, "Olga", OWNER_PIN);
      await page.goto(`${url}/#/office/overview`);
      await expect(page.locator("main figure")).toHaveCount(1);
      await expect(page.locator("main li button").first()).toBeVisible();
      // Sales of today that were not delivered make no product profitable.
      await expect(page.locator("main td strong", { hasText: /^\D*0[.,]00\D*$/ })).toHaveCount(0);
      await lookAtOffice(page, `office-overview-${language}`);
      await open(page, `${url}/#/office/reports?days=last-30&by=brand`);
      await lookAtOffice(page, `office-reports-figures-${language}`);
      await open(page, `${url}/#/office/reports?view=sold&days=last-30`);
      await lookAtOffice(page, `office-reports-rows-${language}`);
    }));
}

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(page.locator("main li a, main td").first()).toBeVisible();
}
