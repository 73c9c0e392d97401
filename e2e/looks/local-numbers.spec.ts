import { expect, test } from "../fixtures.ts";
import { openShop, press, tile } from "../support/look-shop.ts";
import { LANGUAGES, lookAt } from "../support/looks.ts";

for (const language of LANGUAGES) {
  test(`numbers of the shop's country, ${language}`, async ({ page, freshShop }) => {
    const look = (name: string) => lookAt(page, `local-${name}-${language}`);
    const number = page.locator("[data-counter-field]");
    await openShop(page, freshShop, { language });
    await page.keyboard.type("51234");
    await expect(page.getByText(/Peru|Pérou|بيرو/)).toBeVisible();
    await expect(page.getByText(/too short|incomplet|ناقص/).first()).toBeVisible();
    await look("begun");
    await page.keyboard.type("567");
    await expect(page.getByText("+502 5123 4567").first()).toBeVisible();
    await look("completed");
    await press(page, "Escape");
    // The digits are either the start of a number with its country code, or a complete number
    // without it.
    await page.keyboard.type("50259874");
    await expect(page.getByText("+502 5025 9874").first()).toBeVisible();
    await look("unfinished");
    await press(page, "Enter");
    await expect(tile(page, 1)).toBeVisible();
    await look("unfinished-asked");
    await press(page, "Escape", "Escape");
    // The digits are a number of either the Falkland Islands or Guatemala.
    await page.keyboard.type("50051234");
    await expect(page.getByText("+502 5005 1234").first()).toBeVisible();
    await look("either");
    await press(page, "Enter");
    await expect(tile(page, 2)).toBeVisible();
    await press(page, "ArrowDown");
    await look("either-asked");
    await press(page, "1");
    await expect(tile(page, 5)).toBeVisible();
    await press(page, "1", "Enter");
    await expect(page.locator("[data-outcome=DELIVERED]").first()).toBeVisible();
    await page.keyboard.type("50051234");
    await expect(page.getByText("+502 5005 1234").first()).toBeVisible();
    await expect(number).toHaveValue("5005 1234");
    await look("either-known");
  });
}
