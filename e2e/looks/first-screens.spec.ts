import { expect, hireClerk, OWNER_PIN, setUp, test } from "../fixtures.ts";
import { LANGUAGES, lookAt } from "../support/looks.ts";

for (const language of LANGUAGES) {
  test(`set-up and lock screen, ${language}`, async ({ page, freshShop }) => {
    const look = (name: string) => lookAt(page, `${name}-${language}`);
    await page.goto(freshShop.url);
    await expect(page.locator("form").first()).toBeVisible();
    await look("set-up");
    await setUp(freshShop, { name: "Abarrotes y Recargas La Esquina de Don José", language });
    await page.reload();
    await expect(page.getByRole("button", { name: "Rosa" })).toBeVisible();
    await look("sign-in-alone");
    await page.keyboard.type("0000");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("alert")).toBeVisible();
    await look("sign-in-wrong");

    await hireClerk(freshShop);
    await hireClerk(freshShop, "María del Carmen Hernández de la O Ixcoy");
    await hireClerk(freshShop, "محمد عبد الرحمن");
    await page.reload();
    await expect(page.getByRole("button", { name: "Ana" })).toBeVisible();
    await look("sign-in-people");
    await page.keyboard.press("3");
    await page.keyboard.type(OWNER_PIN);
    await look("sign-in-long-name");
  });
}
