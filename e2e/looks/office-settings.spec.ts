import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "../fixtures.ts";
import { standInForDesktop } from "../support/desktop-stand-in.ts";
import { drawLogo } from "../support/logo-picture.ts";
import { openShop } from "../support/look-shop.ts";
import { lookAtOffice, OFFICE_LANGUAGES } from "../support/looks.ts";

for (const language of OFFICE_LANGUAGES) {
  test(`the settings, ${language}`, async ({ page, freshShop }) => {
    await standInForDesktop(page);
    await openShop(page, freshShop, { language });
    await page.goto(`${freshShop.url}/#/office/settings`);
    await page.locator("input[type=file]").setInputFiles(drawLogo("logo.png"));
    const logo = page.locator("main img");
    await expect(logo).toBeVisible();
    await logo.scrollIntoViewIfNeeded();
    await lookAtOffice(page, `office-settings-shop-${language}`);
    await page.goto(`${freshShop.url}/#/office/settings?view=sales`);
    await expect(page.locator("main form").first()).toBeVisible();
    await lookAtOffice(page, `office-settings-sales-${language}`);
    const dir = await mkdtemp(join(tmpdir(), "tillgate-second-"));
    const chosen = await page.request.put(`${freshShop.url}/pos/backups/second`, { data: { dir } });
    expect(chosen.ok()).toBe(true);
    await page.goto(`${freshShop.url}/#/office/settings?view=backups`);
    await expect(page.locator("main form [role=note]")).toBeVisible();
    await lookAtOffice(page, `office-settings-backups-${language}`);
    for (const view of ["tenders", "receipts", "mail", "network", "program", "about"]) {
      await page.goto(`${freshShop.url}/#/office/settings?view=${view}`);
      await expect(page.locator("main section, main form").first()).toBeVisible();
      await lookAtOffice(page, `office-settings-${view}-${language}`);
    }
    for (const section of ["keys", "webhooks", "requests", "sandboxes", "staff"]) {
      await page.goto(`${freshShop.url}/#/office/${section}`);
      await expect(page.locator("main h1")).toBeVisible();
      await lookAtOffice(page, `office-${section}-${language}`);
    }
  });
}
