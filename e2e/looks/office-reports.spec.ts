import { expect, test } from "../fixtures.ts";
import { openShop } from "../support/look-shop.ts";
import { lookAtOffice, OFFICE_LANGUAGES } from "../support/looks.ts";

for (const language of OFFICE_LANGUAGES) {
  test(`reports, ${language}`, async ({ page, freshShop }) => {
    const look = (name: string) => lookAtOffice(page, `office-reports-${name}-${language}`);
    await openShop(page, freshShop, { language });
    await page.goto(`${freshShop.url}/#/office/reports?view=files`);
    await page.locator("main form button[type=submit]").click();
    await expect(page.locator("main li a")).toBeVisible();
    await look("files");
    await page.locator("main form input").first().click();
    await page.getByRole("option", { name: "PDF" }).click();
    await look("day");
    await page.goto(`${freshShop.url}/#/office/reports?view=schedules`);
    await page.locator("main section button").last().click();
    await expect(page.locator("main form")).toBeVisible();
    await look("schedules");
    await page.goto(`${freshShop.url}/#/office/reports?view=books`);
    await expect(page.locator("main form")).toBeVisible();
    await look("books");
  });
}
