/**
 * Takes pictures of twelve screens, to compare versions (docs/contribute.md#appearance).
 * `LOOKS=every` takes all six sizes, light and dark; the default is three views.
 */
import type { Locator, Page } from "@playwright/test";
import { expect, OWNER_PIN, openShift, setUp, test } from "../fixtures.ts";
import { holdAnswers } from "../support/answers.ts";
import { layoutShift } from "../support/layout-shift.ts";
import { confirm, openShop, press, signInAs, tile } from "../support/look-shop.ts";
import { SIZES, type Size } from "../support/sizes.ts";

interface View extends Size {
  readonly theme: "light" | "dark";
}

const EVERY_VIEW: readonly View[] = SIZES.flatMap((size) => [
  { ...size, theme: "light" as const },
  { ...size, theme: "dark" as const },
]);
const isEvery = process.env.LOOKS === "every";
const SOME_VIEWS = ["light-1280", "dark-1920", "light-390"];

function isTaken({ theme, width }: View): boolean {
  return isEvery || SOME_VIEWS.includes(`${theme}-${width}`);
}

async function take(page: Page, views: readonly View[], name: string): Promise<void> {
  await expect(page.locator('[aria-hidden=true][class*="_flag_"]:empty')).toHaveCount(0);
  for (const { theme, width, height } of views) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height });
    await page.evaluate(() => document.fonts.ready);
    const path = `artifacts/screens/twelve/${name}-${theme}-${width}.png`;
    await page.screenshot({ path });
  }
}

for (const hasTouch of [false, true]) {
  const views = EVERY_VIEW.filter((view) => isTaken(view) && view.hasTouch === hasTouch);
  for (const language of isEvery ? (["en", "fr", "ar"] as const) : (["en"] as const)) {
    test.describe(hasTouch ? "by touch" : "by keyboard", () => {
      test.use({ hasTouch, ...(views[0] && { viewport: views[0] }) });

      test(`twelve screens, ${language}`, async ({ page, freshShop }) => {
        const look = (name: string) => take(page, views, `${name}-${language}`);
        const choose = (what: Locator) => (hasTouch ? what.tap() : what.click());
        const next = () => choose(page.locator("aside button[class*=_primary_]"));
        const search = page.locator("[data-counter-field]");
        await openShop(page, freshShop, { language });
        if (hasTouch) await page.touchscreen.tap(2, 2);
        await look("02-counter");
        await search.fill("50251234567");
        await expect(page.getByText(/Guatemala|غواتيمالا/).last()).toBeVisible();
        await look("03-number");
        await next();
        await expect(tile(page, 5)).toBeVisible();
        await look("04-offers");
        await choose(tile(page, 5));
        await expect(confirm(page)).toBeVisible();
        await look("05-confirm");
        await next();
        await expect(page.getByText(/\d{15}/)).toBeVisible();
        await look("06-delivered");
        await press(page, "F2");
        await expect(page.getByRole("button", { name: /Cemaco/ })).toBeVisible();
        await look("07-gift-cards");
        await search.fill("walm");
        await choose(tile(page, 1));
        await expect(tile(page, 1)).toHaveText(/50/);
        await look("08-gift-card");
        await press(page, "F3");
        await expect(tile(page, 4)).toBeVisible();
        await look("09-places");
        await choose(tile(page, 4));
        await expect(page.getByRole("combobox").first()).toBeVisible();
        await look("10-plans");
        await press(page, "F4");
        await expect(tile(page, 1)).toBeVisible();
        await look("11-billers");
        await choose(page.locator("header [aria-keyshortcuts='Control+K']"));
        await page.getByRole("dialog").getByRole("combobox").fill("netf");
        await expect(page.getByRole("option").first()).toBeVisible();
        await look("12-search");
        await press(page, "Escape", "F9");
        await expect(page.getByRole("button", { name: "Rosa" })).toBeVisible();
        await look("01-sign-in");
      });
    });
  }
}

/** Requests for fonts and brand cards. The test delays their responses. */
const LATE = /\.woff2$|\/pos\/brand-faces$/;

/** Bound for the few pixels by which words of the fallback font are wider or narrower. */
const SUBPIXELS = 0.001;

test("nothing moves when fonts and brand cards load", async ({ page, freshShop }) => {
  let release = await holdAnswers(page, LATE);
  await setUp(freshShop, { name: "Tienda Sol", language: "en" });
  await openShift(freshShop, "Rosa", OWNER_PIN);
  // Does not wait for the load event, which waits for the withheld fonts.
  await page.goto(freshShop.url, { waitUntil: "commit" });
  await expect(page.getByRole("button", { name: "Rosa" })).toBeVisible();
  release();
  await page.evaluate(() => document.fonts.ready);
  expect(await layoutShift(page)).toBeLessThan(SUBPIXELS);
  await page.unrouteAll({ behavior: "wait" });
  release = await holdAnswers(page, LATE);
  await signInAs(page, "Rosa", OWNER_PIN);
  await expect(page.locator("[data-counter-field]")).toBeVisible();
  await press(page, "F2");
  await expect(page.getByRole("button", { name: /Cemaco/ })).toBeVisible();
  const before = await layoutShift(page);
  release();
  await expect(page.locator("main svg path[d^='M4 11l8-7']")).toBeVisible();
  expect((await layoutShift(page)) - before).toBeLessThan(SUBPIXELS);
});
