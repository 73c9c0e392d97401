/** Devices of the back office: none and no port, a code, devices that are in, and the question before one is out. */
import { expect, OWNER_PIN, openShift, setUp, test } from "../fixtures.ts";
import { enter, openShop } from "../support/look-shop.ts";
import { lookAtOffice, OFFICE_LANGUAGES } from "../support/looks.ts";
import { startNetworkShop } from "../support/network-shop.ts";
import { endShop } from "../support/shop-process.ts";

for (const language of ["en", ...OFFICE_LANGUAGES] as const) {
  test(`devices, ${language}`, async ({ page, freshShop, freshData }) => {
    const look = (name: string) => lookAtOffice(page, `office-devices-${name}-${language}`);
    await openShop(page, freshShop, { language });
    await page.goto(`${freshShop.url}/#/office/devices`);
    await expect(page.locator("main section code").first()).toBeVisible();
    await look("closed");

    const { shop, tillUrl } = await startNetworkShop(freshData);
    await setUp(shop, { name: "Tienda Sol", language });
    await openShift(shop, "Rosa", OWNER_PIN);
    await enter(page, shop);
    await page.goto(`${shop.url}/#/office/devices`);
    await page.locator("main form input").fill("iPad 2");
    await page.locator("main form button[type=submit]").click();
    const code = page.locator("main [data-secret]");
    await expect(code).toBeVisible();
    await look("code");
    const asked = await page.request.fetch(`${tillUrl}/enrol`, {
      method: "POST",
      form: { code: (await code.textContent()) ?? "" },
      ignoreHTTPSErrors: true,
      maxRedirects: 0,
    });
    expect(asked.status()).toBe(303);
    const row = page.locator("main ul > li");
    await expect(row).toBeVisible();
    await look("listed");
    await row.getByRole("button").click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await look("revoke");
    await endShop(shop);
  });
}
