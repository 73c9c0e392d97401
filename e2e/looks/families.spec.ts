import { expect, test } from "../fixtures.ts";
import { confirm, openShop, press, tile, typeNumber } from "../support/look-shop.ts";
import { DIRECTIONS, lookAt } from "../support/looks.ts";

for (const language of DIRECTIONS) {
  test(`a gift card, ${language}`, async ({ page, freshShop }) => {
    const look = (name: string) => lookAt(page, `${name}-${language}`);
    await openShop(page, freshShop, { language });
    await press(page, "F2");
    await expect(page.getByRole("button", { name: /Cemaco/ })).toBeVisible();
    await look("voucher-brands");
    await page.keyboard.type("walm");
    await press(page, "Enter");
    await expect(tile(page, 1)).toHaveText(/50/);
    await look("voucher-offers");
    await press(page, "1");
    const asked = page.locator("main").getByRole("textbox");
    await expect(asked).toBeFocused();
    await look("voucher-field");
    for (const text of ["María", "López"]) {
      await page.keyboard.insertText(text);
      await press(page, "Enter");
      await expect(asked).toHaveValue("");
    }
    await page.keyboard.insertText("maria@");
    await look("voucher-field-wrong");
    await page.keyboard.insertText("example.com");
    await press(page, "Enter");
    await expect(confirm(page)).toBeVisible();
    await look("voucher-confirm");
    await press(page, "Enter");
    await expect(page.locator("[data-outcome=DELIVERED]").first()).toBeVisible();
    await look("voucher-delivered");
  });

  test(`an eSIM, ${language}`, async ({ page, freshShop }) => {
    const look = (name: string) => lookAt(page, `${name}-${language}`);
    await openShop(page, freshShop, { language });
    await press(page, "F3");
    await expect(tile(page, 4)).toBeVisible();
    await look("esim-places");
    await press(page, "4");
    await expect(page.getByRole("combobox").first()).toBeVisible();
    await expect(tile(page, 1)).toHaveText(/\d[.,]\d\d/);
    await look("esim-plans");
    await press(page, "1");
    await expect(page.getByText("*#06#")).toBeVisible();
    await look("esim-device");
    await press(page, "n");
    await expect(page.getByRole("alert")).toBeVisible();
    await look("esim-device-unfit");
    await press(page, "Escape", "1");
    await expect(page.getByText("*#06#")).toBeVisible();
    await press(page, "Enter");
    await expect(confirm(page)).toBeVisible();
    await look("esim-confirm");
    await press(page, "Enter");
    await expect(page.locator("[data-outcome=DELIVERED]").first()).toBeVisible();
    await look("esim-delivered");
    const iccid = await page
      .getByText(/\d{4} \d{4} \d{4} \d{4}/)
      .first()
      .textContent();
    await press(page, "F3", "Alt+i");
    await page.keyboard.type(iccid?.replaceAll(/\D/g, "") ?? "");
    await expect(page.locator("main meter").first()).toBeVisible();
    await look("esim-usage");
  });

  test(`a bill, ${language}`, async ({ page, freshShop }) => {
    const look = (name: string) => lookAt(page, `${name}-${language}`);
    await openShop(page, freshShop, { language });
    await press(page, "F4");
    await expect(tile(page, 1)).toBeVisible();
    await look("bill-billers");
    await page.keyboard.type("eeg");
    await expect(page.locator("main button").filter({ hasText: "EEGSA" })).toHaveCount(1);
    await press(page, "Enter");
    await expect(page.locator("main").getByRole("textbox")).toBeFocused();
    await page.keyboard.type("30001234567");
    await look("bill-account");
    await press(page, "Enter");
    await expect(page.locator("#bill-title")).toBeVisible();
    await expect(page.locator("aside button").last()).toBeEnabled();
    await look("bill-due");
    await press(page, "Enter");
    await expect(page.locator("#confirm-title")).toBeVisible();
    await look("bill-confirm");
    await press(page, "Enter");
    await expect(page.locator("[data-outcome=DELIVERED]").first()).toBeVisible();
    await look("bill-delivered");
  });

  test(`a basket, a discount and a held sale, ${language}`, async ({ page, freshShop }) => {
    const look = (name: string) => lookAt(page, `${name}-${language}`);
    await openShop(page, freshShop, { language });
    await press(page, "Alt+h");
    await expect(page.locator("#held-title")).toBeVisible();
    await look("held-none");
    await press(page, "Escape");
    for (const digits of ["50251234567", "50251239001"]) {
      await typeNumber(page, digits);
      await press(page, "2");
      await expect(confirm(page)).toBeVisible();
      await press(page, "+");
    }
    await expect(page.locator("aside li[data-on]")).toHaveCount(2);
    await look("basket-kept");
    await press(page, "Enter");
    await expect(confirm(page)).toBeVisible();
    await page.keyboard.type("5");
    // Digits typed right after the letter would form a word instead of an amount.
    await press(page, "c");
    await page.keyboard.type("500");
    await look("basket-tender");
    await press(page, "d");
    await page.keyboard.type("10%");
    await look("basket-discount");
    await press(page, "Enter", "Alt+h");
    await look("basket-hold");
    await press(page, "Enter");
    await expect(page.locator("main").getByRole("textbox")).toBeVisible();
    await press(page, "Alt+h");
    await expect(tile(page, 1)).toBeVisible();
    await look("held-one");
    await press(page, "1");
    await expect(page.locator("aside li[data-on]")).toHaveCount(2);
    await press(page, "Enter");
    await expect(page.locator("[data-outcome=NOT_DELIVERED]").first()).toBeVisible();
    await expect(page.locator("[data-outcome=DELIVERED]").first()).toBeVisible();
    await look("basket-two-outcomes");
  });
}
