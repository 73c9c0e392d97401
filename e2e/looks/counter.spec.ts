import { expect, test } from "../fixtures.ts";
import { confirm, openShop, press, tile, typeNumber } from "../support/look-shop.ts";
import { LANGUAGES, lookAt } from "../support/looks.ts";
import { failFiveTimes } from "../support/slow-provider.ts";

for (const language of LANGUAGES) {
  test(`a top-up, ${language}`, async ({ page, freshShop }) => {
    const look = (name: string) => lookAt(page, `${name}-${language}`);
    await openShop(page, freshShop, { language });
    await look("counter-empty");
    await page.keyboard.type("50251234567");
    await expect(page.getByText(/Guatemala|غواتيمالا/).last()).toBeVisible();
    await look("counter-number");
    await press(page, "Enter");
    await expect(tile(page, 5)).toBeVisible();
    await look("counter-offers");
    await press(page, "5");
    await expect(confirm(page)).toBeVisible();
    await page.keyboard.type("100");
    await look("counter-confirm");
    await press(page, "Enter");
    await expect(page.getByText(/\d{15}/)).toBeVisible();
    await look("counter-delivered");
  });

  test(`a failed, an unfinished and a repeated sale, ${language}`, async ({ page, freshShop }) => {
    const look = (name: string) => lookAt(page, `${name}-${language}`);
    await openShop(page, freshShop, { language });
    for (const [digits, outcome, name] of [
      ["50251239001", "NOT_DELIVERED", "counter-not-delivered"],
      ["50251239004", "STILL_SENDING", "counter-still-sending"],
    ] as const) {
      await typeNumber(page, digits);
      await press(page, "1");
      await expect(confirm(page)).toBeVisible();
      await press(page, "Enter");
      await expect(page.locator(`div[data-outcome=${outcome}]`)).toBeVisible();
      await look(name);
    }
    await press(page, "ArrowDown", "Enter");
    await expect(page.locator("main").getByRole("alert")).toBeVisible();
    await look("counter-being-sent-warning");
    await press(page, "Escape");
    await page.keyboard.type("525512345678");
    await press(page, "Enter");
    await expect(page.getByText("Telcel")).toBeVisible();
    await look("counter-carrier");
  });

  test(`a slow provider, ${language}`, async ({ page, freshShop }) => {
    const look = (name: string) => lookAt(page, `${name}-${language}`);
    const slow = page.getByText(/(is slow since|est lent depuis|بطيء منذ) .+\. /);
    await openShop(page, freshShop, { language });
    await failFiveTimes(page, freshShop);
    await page.keyboard.type("50251234568");
    await expect(slow).toBeVisible();
    await look("slow-number");
    await press(page, "Enter");
    await expect(tile(page, 1)).toBeVisible();
    await look("slow-offers");
    await press(page, "1");
    await expect(confirm(page)).toBeVisible();
    await expect(slow).toBeVisible();
    await look("slow-confirm");
    await press(page, "Enter");
    await expect(page.locator("[data-outcome=STILL_SENDING] p")).toBeVisible();
    await look("slow-waiting");
  });
}
