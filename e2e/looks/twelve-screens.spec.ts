/**
 * Twelve screens on the way of four sales, as pictures to be laid beside those of another version
 * (docs/design.md); and that nothing moves when the type and the brands' faces come.
 */
import type { Page } from "@playwright/test";
import { expect, OWNER_PIN, openShift, setUp, test } from "../fixtures.ts";
import { layoutShift } from "../support/layout-shift.ts";
import { confirm, openShop, press, signInAs, tile } from "../support/look-shop.ts";

const VIEWS = [
  { theme: "light", width: 1280, height: 800 },
  { theme: "dark", width: 1920, height: 1080 },
  { theme: "light", width: 390, height: 844 },
] as const;

async function take(page: Page, name: string): Promise<void> {
  await expect(page.locator('[aria-hidden=true][class*="_flag_"]:empty')).toHaveCount(0);
  for (const { theme, width, height } of VIEWS) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height });
    await page.mouse.move(0, 0);
    await page.evaluate(() => document.fonts.ready);
    const path = `artifacts/screens/twelve/${name}-${theme}-${width}.png`;
    await page.screenshot({ path });
  }
  await page.setViewportSize({ width: VIEWS[0].width, height: VIEWS[0].height });
}

for (const language of ["en", "fr", "ar"] as const) {
  test(`twelve screens, ${language}`, async ({ page, freshShop }) => {
    const look = (name: string) => take(page, `${name}-${language}`);
    await openShop(page, freshShop, { language });
    await look("02-counter");
    await page.keyboard.type("50251234567");
    await expect(page.getByText(/Guatemala|غواتيمالا/).last()).toBeVisible();
    await look("03-number");
    await press(page, "Enter");
    await expect(tile(page, 5)).toBeVisible();
    await look("04-offers");
    await press(page, "5");
    await expect(confirm(page)).toBeVisible();
    await look("05-confirm");
    await press(page, "Enter");
    await expect(page.getByText(/\d{15}/)).toBeVisible();
    await look("06-delivered");
    await press(page, "F2");
    await expect(page.getByRole("button", { name: /Cemaco/ })).toBeVisible();
    await look("07-gift-cards");
    await page.keyboard.type("walm");
    await press(page, "Enter");
    await expect(tile(page, 1)).toHaveText(/50/);
    await look("08-gift-card");
    await press(page, "F3");
    await expect(tile(page, 4)).toBeVisible();
    await look("09-places");
    await press(page, "4");
    await expect(page.getByRole("combobox").first()).toBeVisible();
    await look("10-plans");
    await press(page, "F4");
    await expect(tile(page, 1)).toBeVisible();
    await look("11-billers");
    await press(page, "Control+k");
    await page.keyboard.type("netf");
    await expect(page.getByRole("option").first()).toBeVisible();
    await look("12-search");
    await press(page, "Escape", "F9");
    await expect(page.getByRole("button", { name: "Rosa" })).toBeVisible();
    await look("01-sign-in");
  });
}

test("nothing moves when the type comes, nor when the faces of brands do", async ({
  page,
  freshShop,
}) => {
  await page.route(/\.woff2$|\/pos\/brand-faces$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 400));
    await route.continue();
  });
  await setUp(freshShop, { name: "Tienda Sol", language: "en" });
  await openShift(freshShop, "Rosa", OWNER_PIN);
  await page.goto(freshShop.url);
  await expect(page.getByRole("button", { name: "Rosa" })).toBeVisible();
  await page.evaluate(() => document.fonts.ready);
  // A line of text that is another by then; letters of another width would move more.
  expect(await layoutShift(page)).toBeLessThan(0.0005);
  await signInAs(page, "Rosa", OWNER_PIN);
  await expect(page.locator("[data-counter-field]")).toBeVisible();
  await press(page, "F2");
  await expect(page.getByRole("button", { name: /Cemaco/ })).toBeVisible();
  const before = await layoutShift(page);
  await expect(page.locator("main svg path[d^='M4 11l8-7']")).toBeVisible();
  expect((await layoutShift(page)) - before).toBe(0);
});
