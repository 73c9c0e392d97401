import { expect, test } from "../fixtures.ts";
import { openShop } from "../support/look-shop.ts";
import { lookAtOffice, OFFICE_LANGUAGES } from "../support/looks.ts";

const FILE = "catalog.json";

for (const language of OFFICE_LANGUAGES) {
  test(`the catalog, ${language}`, async ({ page, freshShop }) => {
    await openShop(page, freshShop, { language });
    await page.goto(`${freshShop.url}/#/office/catalog?brand=TIGO`);
    await expect(page.locator("main article").nth(2)).toBeVisible();
    await page.locator("main article label").first().click();
    await expect(page.locator("main article[data-state=OFF]").first()).toBeVisible();
    await lookAtOffice(page, `office-catalog-${language}`);
    await page.goto(`${freshShop.url}/#/office/catalog?view=file`);
    const save = page.locator("main a[download]");
    await expect(save).toBeVisible();
    const address = new URL((await save.getAttribute("href")) ?? "", freshShop.url).href;
    const catalog = await (await page.request.get(address)).json();
    const choose = (vouchers: object[]) =>
      page.locator("input[type=file]").setInputFiles({
        name: FILE,
        mimeType: "application/json",
        buffer: Buffer.from(JSON.stringify({ vouchers })),
      });
    await choose([{ ...catalog.vouchers[0], country: "xx" }]);
    await expect(page.locator("main ol li").first()).toBeVisible();
    await lookAtOffice(page, `office-catalog-faults-${language}`);
    await choose(catalog.vouchers.slice(2));
    await expect(page.locator("[data-count=removed]")).toBeVisible();
    await lookAtOffice(page, `office-catalog-file-${language}`);
    await page.goto(`${freshShop.url}/#/office/catalog?view=history`);
    await expect(page.locator("main li").first()).toBeVisible();
    await lookAtOffice(page, `office-catalog-history-${language}`);
  });
}
