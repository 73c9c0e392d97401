import { expect, setUp, test } from "../fixtures.ts";
import { closeShifts } from "../pages/going-live.ts";
import { confirm, enter, press, signInAs, typeNumber } from "../support/look-shop.ts";
import { lookAtOffice, OFFICE_LANGUAGES } from "../support/looks.ts";
import { makeReady, NEW_PIN, startProvider } from "../support/provider.ts";
import { endShop } from "../support/shop-process.ts";

for (const language of OFFICE_LANGUAGES) {
  test(`test and live, ${language}`, async ({ page, freshData, freshShop }) => {
    const look = (name: string) => lookAtOffice(page, `going-live-${name}-${language}`);
    const stops = page.locator("main li[data-kind=stops]");
    const here = page.locator("main section[data-environment]");
    const dialog = page.getByRole("dialog");
    const takeOver = async () => {
      await expect(page.locator("nav")).toBeVisible();
      await press(page, "F1");
      await expect(page.locator("main form input[inputmode=decimal]")).toBeVisible();
      await page.keyboard.type("0");
      await press(page, "Enter");
      await expect(page.locator("main input[inputmode=tel]")).toBeVisible();
    };
    await setUp(freshShop, { name: "Tienda Sol", language });
    await enter(page, freshShop);
    await takeOver();
    await press(page, "Alt+t");
    await expect(stops).toHaveCount(8);
    await look("stopped");

    const provider = await startProvider(freshData, ["TIGO"]);
    await makeReady(freshShop, provider);
    await page.reload();
    await signInAs(page, "Rosa", NEW_PIN);
    await expect(page.locator("main input[inputmode=tel]")).toBeVisible();
    await typeNumber(page, "50251234567");
    await press(page, "2");
    await expect(confirm(page)).toBeVisible();
    await closeShifts(page);
    await press(page, "Alt+t");
    await expect(here.getByRole("button")).toBeEnabled();
    await here.getByRole("button").click();
    await expect(dialog).toBeVisible();
    await look("asked");
    await page.keyboard.type("Tienda Sol");
    for (let field = 0; field < 3; field++) await press(page, "Tab");
    await page.keyboard.type(NEW_PIN);
    await press(page, "Enter");
    await expect(here).toHaveAttribute("data-environment", "live");
    await expect(page.locator("main li[data-kind=passed]").nth(1)).toBeVisible();
    await look("live");
    await press(page, "F1");
    await expect(page.locator("main h1")).toBeVisible();
    await look("left-basket");

    await press(page, "Enter");
    await page.locator("[role=note] button").last().click();
    await takeOver();
    await page.locator("[role=note] button").click();
    await typeNumber(page, "50253009004");
    await press(page, "2");
    await expect(confirm(page)).toBeVisible();
    await press(page, "Enter");
    await expect(page.locator("div[data-outcome=STILL_SENDING]")).toBeVisible({ timeout: 60_000 });
    await closeShifts(page);
    await press(page, "Alt+t");
    await expect(here.getByRole("button")).toBeEnabled();
    await here.getByRole("button").click();
    await expect(dialog).toBeVisible();
    await look("asked-back");
    await page.keyboard.type(NEW_PIN);
    await press(page, "Enter");
    await expect(here).toHaveAttribute("data-environment", "test");
    await page.locator("main [data-outcome]").scrollIntoViewIfNeeded();
    await look("left-sales");
    await endShop(provider.gateway);
  });
}
