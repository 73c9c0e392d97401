import { expect, OWNER_PIN, setUp, test } from "../fixtures.ts";
import { enter, press } from "../support/look-shop.ts";
import { lookAtOffice, OFFICE_LANGUAGES } from "../support/looks.ts";

const TABLE = [
  "offer,recipient,note",
  "TIGO_GT_TOPUP_25,5.02E+10,Turno de noche",
  "TIGO_GT_TOPUP_25,+50251000002,Oficina",
  "TIGO_GT_TOPUP_25,+50231000002,",
  "CAKE,+50251000003,",
].join("\n");

for (const language of OFFICE_LANGUAGES) {
  test(`bulk sales from a file, ${language}`, async ({ page, freshShop }) => {
    const look = (name: string) => lookAtOffice(page, `office-bulk-${name}-${language}`);
    await setUp(freshShop, { name: "Tienda Sol", language });
    await enter(page, freshShop);
    await expect(page.locator("nav")).toBeVisible();
    await press(page, "F1");
    await expect(page.locator("main form input[inputmode=decimal]")).toBeVisible();
    await page.keyboard.type("0");
    await press(page, "Enter");
    await expect(page.locator("main input[inputmode=tel]")).toBeVisible();
    await page.goto(`${freshShop.url}/#/office/bulk`);
    await page.locator("main textarea").first().fill(TABLE);
    await page.locator("main form button[type=submit]").click();
    await expect(page.locator("tr[data-state=FAULTY]")).toHaveCount(2);
    await look("faults");
    for (const box of await page.locator("main form input[type=checkbox]").all()) await box.check();
    await page.locator("main form button[type=submit]").click();
    await page.getByRole("dialog").locator("input").fill(OWNER_PIN);
    await press(page, "Enter");
    await expect(page.locator("tr [data-outcome=DELIVERED]")).toHaveCount(2, { timeout: 30_000 });
    await look("done");
  });
}
