import { expect, OWNER_PIN, openShift, setUp, test } from "../fixtures.ts";
import { editCatalog, makeDearer, runPromotion } from "../support/edit-catalog.ts";
import { enter } from "../support/look-shop.ts";
import { LANGUAGES, lookAt } from "../support/looks.ts";

for (const language of LANGUAGES) {
  test(`guards, ${language}`, async ({ page, freshShop }) => {
    test.setTimeout(400_000);
    const look = (name: string) => lookAt(page, `${name}-${language}`);
    const main = page.locator("main");
    const alert = page.getByRole("alert").first();
    const tile = (amount: RegExp) => main.getByRole("button", { name: amount }).first();
    const press = async (...keys: string[]) => {
      for (const key of keys) {
        await page.keyboard.press(key);
      }
    };

    await setUp(freshShop, { name: "Tienda Sol", language });
    await editCatalog(freshShop, runPromotion("CLARO_GT_BONUS_DATA_2026_01"));
    await openShift(freshShop, "Rosa", OWNER_PIN);
    await enter(page, freshShop);
    await expect(page.locator("[data-counter-field]")).toBeVisible();

    await page.keyboard.type("50251234567");
    await expect(main.getByText("Tigo").first()).toBeVisible();
    await press("Alt+c");
    await tile(/Claro/).click();
    await expect(tile(/26[.,]35/)).toBeVisible();
    await look("guards-promotion");
    await tile(/26[.,]35/).click();
    await expect(main.getByText("Tigo")).toBeVisible();
    await expect(main.getByRole("list")).toBeVisible();
    await look("guards-carrier-and-promotion");

    await press("F2");
    await expect(tile(/Cemaco/)).toBeVisible();
    await page.keyboard.type("cem");
    await press("Enter");
    await expect(tile(/50[.,]61/)).toBeVisible();
    await press("1");
    await expect(page.locator("aside li[data-on]")).toHaveCount(2);
    await editCatalog(freshShop, makeDearer("CEMACO_GT_GIFT_50"));
    await expect(main.locator("del")).toBeVisible();
    await look("guards-price-moved");
    await press("Enter");
    await expect(page.locator("[data-outcome=DELIVERED]").first()).toBeVisible();

    await press("F1");
    await page.keyboard.type("50251234567");
    await expect(main.getByText("Claro").first()).toBeVisible();
    await press("Enter");
    await expect(tile(/26[.,]35/)).toBeVisible();
    await tile(/26[.,]35/).click();
    await expect(alert).toBeVisible();
    await look("guards-same-again");

    await press("Escape", "Escape", "Escape");
    for (const brand of ["TIGO", "CLARO", "CEMACO"]) {
      await freshShop.admin("brands", "pause", brand, "--env", "test");
    }
    const stopped = main.locator("[data-stop=true]").first();
    await page.keyboard.type("50251234567");
    await expect(stopped).toBeVisible();
    await look("guards-paused-number");
    await press("Alt+c");
    await expect(stopped).toBeVisible();
    await look("guards-paused-carriers");
    await press("Escape", "Escape", "F2");
    await expect(stopped).toBeVisible();
    await look("guards-paused-brands");
    await page.keyboard.type("cem");
    await press("Enter");
    await expect(page.locator("aside [data-stop=true]")).toBeVisible();
    await look("guards-paused-offers");
  });
}
