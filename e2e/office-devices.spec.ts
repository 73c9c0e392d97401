import { expect, OWNER_PIN, test } from "./fixtures.ts";
import { typeOwnPin } from "./pages/sign-in.ts";
import { expectNoFault } from "./support/faultless.ts";
import { enter } from "./support/look-shop.ts";
import { openDevice, startNetworkShop } from "./support/network-shop.ts";
import { endShop } from "./support/shop-process.ts";

test("an owner enrolls a tablet by a scanned code, and revokes it", async ({
  page,
  browser,
  shopData,
}) => {
  const { shop, tillUrl, tillPort } = await startNetworkShop(shopData);
  await enter(page, shop);
  await page.goto(`${shop.url}/#/office/devices`);
  await expect(page.getByText("No devices approved yet")).toBeVisible();
  await expectNoFault(page);
  const trust = page.getByRole("region", { name: "Before the code: the browser’s warning" });
  const authority = (await trust.locator("code").first().textContent()) ?? "";
  expect(authority).toMatch(/^([\dA-F]{2}:){31}[\dA-F]{2}$/);

  await page.getByLabel("Device name").fill("Till 2");
  await page.getByRole("button", { name: "Create code" }).click();
  await typeOwnPin(page, OWNER_PIN);
  const code = (await page.getByRole("status", { name: "Code" }).textContent()) ?? "";
  expect(code).toMatch(/^[A-Z2-9]{5}-[A-Z2-9]{5}$/);
  await expect(page.getByRole("timer")).toContainText(/\b9:\d\d/);
  await expect(page.getByRole("img", { name: "Address and code as a QR code" })).toBeVisible();
  await expectNoFault(page);

  const device = await openDevice(browser, { tillPort, authority });
  const { page: tablet } = device;
  await tablet.goto(`${tillUrl}/enrol#${code}`);
  await expect(tablet.getByLabel("Code")).toHaveValue(code);
  expect(tablet.url()).toBe(`${tillUrl}/enrol`);
  await tablet.getByRole("button", { name: "Connect this device" }).click();
  await expect(tablet.getByRole("button", { name: "Rosa" })).toBeVisible();

  await expect(page.getByText("Till 2 is approved.")).toBeVisible();
  const devices = page.getByRole("list", { name: "Approved devices" });
  await expect(devices.getByRole("listitem")).toContainText(/Last seen .*127\.0\.0\.1/);

  await devices.getByRole("button", { name: "Revoke Till 2" }).click();
  const asked = page.getByRole("dialog", { name: "Revoke Till 2" });
  await expect(asked).toContainText("is signed out at once");
  await expectNoFault(page);
  await asked.getByRole("button", { name: "Revoke", exact: true }).click();
  await typeOwnPin(page, OWNER_PIN);
  await expect(devices.getByRole("listitem")).toContainText("Revoked");
  await expect(devices.getByRole("button")).toHaveCount(0);
  await tablet.goto(tillUrl);
  await expect(tablet.getByRole("heading", { name: /not a till yet/ })).toBeVisible();

  await page.goto(`${shop.url}/#/audit-trail`);
  const trail = page.getByRole("list", { name: "Entries, newest first" });
  await expect(trail.getByText("Revoked a device")).toBeVisible();
  await expect(trail.getByText("Created a code for a device")).toBeVisible();
  await device.context.close();
  await endShop(shop);
});

test("the page states the start command if no port is open for other devices", {
  tag: "@thorough",
}, async ({ counter, page, shop, signIn }) => {
  await counter.isReady();
  await page.keyboard.press("F9");
  await signIn.as("Rosa", OWNER_PIN);
  await counter.isReady();
  await page.goto(`${shop.url}/#/office/devices`);
  await expect(page.getByText("No port is open for other devices")).toBeVisible();
  await expect(page.getByText("--till-listen 0.0.0.0:7444")).toBeVisible();
  await expect(page.getByRole("button", { name: "Create code" })).toHaveCount(0);
  await expectNoFault(page);
});

test("a page that fails to load reports the failure, and loads again on request", {
  tag: "@thorough",
}, async ({ page, shop, signIn }) => {
  await signIn.as("Rosa", OWNER_PIN);
  await expect(page.locator("[data-counter-field]")).toBeVisible();
  let asked = 0;
  await page.route("**/pos/devices", (route) => {
    asked += 1;
    return route.fulfill({ status: 500, body: "{}" });
  });
  await page.goto(`${shop.url}/#/office/devices`);
  const again = page.getByRole("main").getByRole("button", { name: /again/i });
  await expect(again).toBeVisible();
  const before = asked;
  await again.click();
  await expect.poll(() => asked).toBeGreaterThan(before);
  await expect(again).toBeVisible();
  await page.unroute("**/pos/devices");
  // An event of the gateway may reload the page first, and the button is gone.
  await again.click({ timeout: 5_000 }).catch(() => undefined);
  await expect(page.getByText("No port is open for other devices")).toBeVisible();
});
