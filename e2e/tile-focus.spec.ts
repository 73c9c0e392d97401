import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";

function stops(page: Page, tiles: string) {
  return page.locator(tiles).evaluateAll((all) => all.filter((one) => one.tabIndex === 0).length);
}

test("tiles, known numbers and today's sales are one tab stop each, and arrow keys move the focus inside", {
  tag: "@thorough",
}, async ({ counter, page }) => {
  await test.step("offers are a single tab stop", async () => {
    const tiles = page.locator("#offer-tiles button");
    await counter.type("50251234567");
    await counter.press("Enter");
    await expect(tiles.nth(4)).toBeVisible();
    expect(await stops(page, "#offer-tiles button")).toBe(1);
    await tiles.first().focus();
    await counter.press("ArrowDown");
    await expect(tiles.nth(1)).toBeFocused();
    await counter.press("End");
    // Digits pick only nine tiles; PgDn shows the others.
    await expect(tiles.nth(8)).toBeFocused();
    await counter.press("Home");
    await expect(tiles.first()).toBeFocused();
    expect(await stops(page, "#offer-tiles button")).toBe(1);
    await counter.press("1", "Enter");
    await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
  });

  await test.step("a picker is a single tab stop in both directions, and keeps its digits", async () => {
    await counter.press("F2");
    const picker = "[data-own-keys] button";
    await expect(page.locator(picker).nth(4)).toBeVisible();
    expect(await stops(page, picker)).toBe(1);
    await page.locator(picker).first().focus();
    await counter.press("ArrowRight");
    await expect(page.locator(picker).nth(1)).toBeFocused();
    await counter.press("ArrowLeft");
    await expect(page.locator(picker).first()).toBeFocused();
    await counter.press("3");
    await expect(page.getByRole("heading", { name: "Choose a product" })).toBeVisible();
  });

  await test.step("known numbers and today's sales are a single tab stop each", async () => {
    await counter.press("F1");
    await counter.sellFirstOffer("50251234568");
    await expect(counter.panel.getByText("Sale 2", { exact: true })).toBeVisible();
    await counter.press("Enter");
    const known = "section[aria-label='Recent customers'] [data-own-keys]";
    await expect.poll(() => stops(page, known)).toBe(1);
    await counter.press("ArrowDown");
    await expect(page.locator(known).first()).toBeFocused();
    await counter.press("End");
    await expect(page.locator("main [data-own-keys]:focus")).toHaveCount(1);
    await expect(page.locator(known).first()).not.toBeFocused();
    await counter.press("F6");
    const rows = page.getByRole("list", { name: /^Sales of today/ }).getByRole("button");
    await expect(rows).toHaveCount(2);
    await rows.first().focus();
    await counter.press("ArrowDown");
    await expect(rows.nth(1)).toBeFocused();
    await expect(rows.nth(1)).toHaveAttribute("aria-current", "true");
    await expect(rows.first()).toHaveAttribute("tabindex", "-1");
    await counter.press("Home");
    await expect(rows.first()).toBeFocused();
  });
});
