import type { Page } from "@playwright/test";
import { expect, OWNER_PIN, openShift, setUp, test } from "../fixtures.ts";
import { enter, openShop } from "../support/look-shop.ts";
import { lookAtOffice, OFFICE_LANGUAGES } from "../support/looks.ts";
import { openDevice, startNetworkShop } from "../support/network-shop.ts";
import { endShop } from "../support/shop-process.ts";

for (const language of OFFICE_LANGUAGES) {
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
    await page.getByRole("dialog").locator("input").fill(OWNER_PIN);
    await page.keyboard.press("Enter");
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

test("pictures of a second till for docs/operate.md", async ({ browser, page, freshData }) => {
  const { shop, tillPort, tillUrl } = await startNetworkShop(freshData);
  await setUp(shop, { name: "Tienda Sol", language: "en" });
  await openShift(shop, "Rosa", OWNER_PIN);
  await enter(page, shop);
  await page.route("**/pos/devices", async (route) => {
    const response = await route.fetch();
    const text = (await response.text()).replaceAll(tillUrl, "https://tienda-sol.local:7444");
    await route.fulfill({ response, body: text.replaceAll("127.0.0.1", "192.168.1.23") });
  });
  const take = (of: Page, name: string) =>
    of.screenshot({ path: `artifacts/screens/network-${name}.jpg`, type: "jpeg", quality: 75 });
  await page.goto(`${shop.url}/#/office/devices`);
  const code = page.locator("main [data-secret]");
  await page.locator("main form input").first().fill("Till 2");
  await page.locator("main form button[type=submit]").click();
  await page.getByRole("dialog").locator("input").fill(OWNER_PIN);
  await page.keyboard.press("Enter");
  await expect(code).toBeVisible();
  await code.scrollIntoViewIfNeeded();
  await expect(page.locator("main svg[role=img] path").first()).toBeAttached();
  await take(page, "code");
  const trust = page.getByRole("region", { name: /browser.s warning/ });
  const authority = (await trust.locator("code").first().textContent()) ?? "";
  const device = await openDevice(browser, { tillPort, authority });
  await device.page.setViewportSize({ width: 820, height: 600 });
  await device.page.goto(`${tillUrl}/enrol#${await code.textContent()}`);
  await take(device.page, "enrol");
  await device.page.getByRole("button", { name: "Connect this device" }).click();
  await expect(device.page.getByRole("button", { name: "Rosa" })).toBeVisible();
  await take(device.page, "let-in");
  await expect(page.locator("main ul > li").first()).toContainText("Till 2");
  await take(page, "list");
  await device.context.close();
  await endShop(shop);
});
