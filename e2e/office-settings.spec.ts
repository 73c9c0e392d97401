import { mkdtemp, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, OWNER_PIN, test } from "./fixtures.ts";
import { expectNoFault } from "./support/faultless.ts";
import { drawLogo } from "./support/logo-picture.ts";

const LOGO = "logo.png";

test.beforeEach(async ({ page, shop, signIn }) => {
  await signIn.as("Rosa", OWNER_PIN);
  await expect(page.getByRole("navigation").first()).toBeVisible();
  await page.goto(`${shop.url}/#/office/settings`);
  await expect(page.getByRole("heading", { name: "Settings" })).toBeVisible();
});

test("a changed name of the shop appears on the till at once", async ({ page }) => {
  await page.getByRole("textbox", { name: "Name of the shop" }).fill("Tienda Luna");
  await expectNoFault(page);
  await page.getByRole("button", { name: "Save", exact: true }).first().click();
  await expect(
    page.getByRole("navigation", { name: "Back office" }).getByText("Tienda Luna"),
  ).toBeVisible();
});

test("a chosen logo appears at once, and other files are refused", {
  tag: "@thorough",
}, async ({ page, shop }) => {
  const input = page.locator("input[type=file]");
  const svg = { name: LOGO, mimeType: "image/png", buffer: Buffer.from("<svg/>") };
  await input.setInputFiles(svg);
  await expect(page.getByText(/This picture cannot be the logo/)).toBeVisible();
  await input.setInputFiles(drawLogo(LOGO));
  const logo = page.getByRole("img", { name: "The shop’s logo" });
  await expect(logo).toBeVisible();
  const drawn = () => logo.evaluate((image: HTMLImageElement) => image.naturalWidth);
  await expect.poll(drawn).toBe(240);
  await expectNoFault(page);
  const status = await (await page.request.get(`${shop.url}/pos/status`)).json();
  expect(status.logo).toMatchObject({ width: 240, height: 96 });
  await page.getByRole("button", { name: "Remove the logo" }).click();
  await expect(logo).toHaveCount(0);
});

test("a brand shows its logo after the owner confirms the right to use it", {
  tag: "@thorough",
}, async ({ page, shop }) => {
  await page.getByRole("combobox", { name: "Brand", exact: true }).click();
  await page.keyboard.type("Netflix");
  await page.getByRole("option", { name: "Netflix", exact: true }).click();
  const section = page.getByRole("region", { name: "Logos of brands" });
  const choose = section.getByRole("button", { name: "Choose a picture" });
  await expect(choose).toBeDisabled();
  await section.getByRole("checkbox", { name: /has the right/ }).check();
  await expect(choose).toBeEnabled();
  const shapes =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 60"><rect width="120" height="60" fill="#0a5"/></svg>';
  const logo = { name: LOGO, mimeType: "image/svg+xml", buffer: Buffer.from(shapes) };
  await section.locator("input[type=file]").setInputFiles(logo);
  const shown = section.locator("img");
  const drawn = () => shown.evaluate((image: HTMLImageElement) => image.naturalWidth);
  // The page draws an SVG into a PNG before the upload.
  await expect.poll(drawn).toBe(1024);
  const type = await shown.evaluate(async ({ src }: HTMLImageElement) =>
    (await fetch(src)).headers.get("content-type"),
  );
  expect(type).toBe("image/png");
  await expectNoFault(page);
  await page.goto(`${shop.url}/#/`);
  await expect(page.locator("[data-counter-field]")).toBeVisible();
  await page.keyboard.press("F2");
  await expect(page.getByPlaceholder("Search gift cards")).toBeFocused();
  await page.keyboard.type("netf");
  await expect(page.locator("main img").first()).toBeVisible();
  await page.screenshot({ path: "artifacts/screens/brand-logo.png" });
  await page.goto(`${shop.url}/#/office/settings`);
  await page.getByRole("combobox", { name: "Brand", exact: true }).click();
  await page.keyboard.type("Netflix");
  await page.getByRole("option", { name: "Netflix", exact: true }).click();
  await section.getByRole("button", { name: "Remove the logo" }).click();
  await expect(shown).toHaveCount(0);
});

test("a new cash rounding applies from the next sale on", { tag: "@thorough" }, async ({
  page,
  shop,
}) => {
  await page.getByRole("button", { name: "Selling", exact: true }).click();
  const choice = page.getByRole("combobox", { name: "Cash rounding" });
  await choice.click();
  await page.getByRole("option", { name: "Custom amount" }).click();
  await page.getByRole("textbox", { name: /Rounded to/ }).fill("0.05");
  await expectNoFault(page);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("note")).toContainText("Saved");
  const status = await page.request.get(`${shop.url}/pos/status`);
  expect((await status.json()).cashStep).toBe(5);
});

test("an owner creates a key that opens /v1, and revokes it", { tag: "@thorough" }, async ({
  page,
  shop,
}) => {
  await page.getByRole("link", { name: "API keys" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Web shop");
  await page.getByRole("button", { name: "Create key" }).click();
  const secret = (await page.locator("[data-secret]").textContent()) ?? "";
  const headers = { authorization: `Bearer ${secret}` };
  const balance = await page.request.get(`${shop.url}/v1/balance`, { headers });
  expect(balance.ok()).toBe(true);
  await expectNoFault(page);
  await page.getByRole("button", { name: "Revoke Web shop" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByText(/Revoked/)).toBeVisible();
  const refused = await page.request.get(`${shop.url}/v1/balance`, { headers });
  expect(refused.status()).toBe(401);
});

test("a backup is made, verified and inspected on a phone", { tag: "@thorough" }, async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Backups" }).click();
  await page.getByRole("button", { name: "Make a backup now" }).click();
  await expect(page.getByText(/books balance/)).toBeVisible({ timeout: 60_000 });
  await page
    .getByRole("button", { name: /^View contents/ })
    .first()
    .click();
  await expect(page.getByText("Sales in the backup")).toBeVisible({ timeout: 60_000 });
  await expectNoFault(page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(wide).toBeLessThanOrEqual(0);
  const folder = page.getByRole("textbox", { name: "Folder" });
  await folder.fill("/nowhere");
  await page.getByRole("button", { name: "Copy there" }).click();
  await expect(page.getByText(/This folder cannot be used/)).toBeVisible();
  const second = await mkdtemp(join(tmpdir(), "tillgate-second-"));
  await folder.fill(second);
  await page.getByRole("button", { name: "Copy there" }).click();
  await expect(page.getByText("Every backup is there, too.")).toBeVisible({ timeout: 60_000 });
  expect((await readdir(second)).some((name) => name.endsWith(".backup"))).toBe(true);
  await expectNoFault(page);
  await page
    .getByRole("button", { name: /^Restore/ })
    .first()
    .click();
  await expect(page.getByRole("dialog")).toContainText("All staff sign in again.");
});
