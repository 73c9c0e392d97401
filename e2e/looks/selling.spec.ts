/** Every screen in both themes, in the shortest and the longest language and in one that runs from right to left, at four sizes: no
 * accessibility fault, nothing that scrolls sideways, and a picture to look at. */
import { expect, OWNER_PIN, openShift, setUp, test } from "../fixtures.ts";
import { LOOKS, lookAt } from "../support/looks.ts";

for (const { theme, language } of LOOKS) {
  test(`screens, ${theme}, ${language}`, async ({ page, freshShop }) => {
    // Some eighty pictures, each checked for accessibility: minutes where the machine is shared.
    test.setTimeout(400_000);
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });

    const look = (name: string) => lookAt(page, `${name}-${language}-${theme}`);

    await page.goto(freshShop.url);
    await expect(page.locator("main, form").first()).toBeVisible();
    await look("set-up");

    await setUp(freshShop, { name: "Abarrotes y Recargas La Esquina de Don José", language });
    await openShift(freshShop, "Rosa", OWNER_PIN);
    await page.reload();
    await expect(page.getByRole("button", { name: "Rosa" })).toBeVisible();
    await look("sign-in");
    await page.keyboard.type("0000");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("alert")).toBeVisible();
    await look("sign-in-wrong");

    await page.keyboard.type(OWNER_PIN);
    await page.keyboard.press("Enter");
    const number = page.getByRole("textbox").first();
    await expect(number).toBeVisible();
    await look("counter-empty");
    await page.keyboard.type("50251234567");
    await expect(page.getByText(/Guatemala|غواتيمالا/).last()).toBeVisible();
    await look("counter-number");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("button", { name: /26[.,]35/ })).toBeVisible();
    await look("counter-offers");
    await page.keyboard.press("5");
    await expect(page.getByText("+502 5123 4567").first()).toBeVisible();
    await page.keyboard.type("100");
    await look("counter-confirm");
    await page.keyboard.press("Enter");
    await expect(page.getByText(/\d{15}/)).toBeVisible();
    await look("counter-delivered");

    for (const [digits, name] of [
      ["50251239001", "counter-not-delivered"],
      ["50251239004", "counter-still-sending"],
    ] as const) {
      await page.keyboard.type(digits);
      await page.keyboard.press("Enter");
      await expect(page.getByRole("button", { name: /26[.,]35/ })).toBeVisible();
      await page.keyboard.press("1");
      await page.keyboard.press("Enter");
      await expect(
        page.locator("[data-outcome=NOT_DELIVERED], [data-outcome=STILL_SENDING]").first(),
      ).toBeVisible();
      await look(name);
    }

    await freshShop.admin("brands", "pause", "TIGO", "--env", "test");
    await page.keyboard.type("50251234568");
    const slow = page.getByText(/^(Slow since|Lent depuis|بطيء منذ) .+\. /);
    await expect(slow).toBeVisible();
    await look("counter-slow");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("button", { name: /26[.,]35/ })).toBeVisible();
    await look("counter-slow-offers");
    await page.keyboard.press("1");
    await expect(slow).toBeVisible();
    await look("counter-slow-confirm");
    await page.keyboard.press("Enter");
    await expect(page.locator("[data-outcome=STILL_SENDING] p")).toBeVisible();
    await look("counter-slow-waiting");
    await freshShop.admin("brands", "resume", "TIGO", "--env", "test");

    await page.keyboard.type("525512345678");
    await page.keyboard.press("Enter");
    await expect(page.getByText("Telcel")).toBeVisible();
    await look("counter-carrier");
    await page.keyboard.press("F6");
    await expect(page.getByRole("listitem").first()).toBeVisible();
    await page.getByRole("listitem").first().getByRole("button").click();
    await look("today");
    await page.keyboard.press("F10");
    await expect(page.getByText("Rosa").nth(1)).toBeVisible();
    await look("staff");
    await page.locator('a[href$="#/printing"]').click();
    await expect(page.getByRole("radiogroup").first()).toBeVisible();
    await look("printing");

    await freshShop.kill();
    await page.keyboard.press("F1");
    await page.waitForTimeout(1500);
    await look("counter-reconnecting");
    await freshShop.start();
  });
}
