import { expect, test } from "../fixtures.ts";
import { failAnswers } from "../support/answers.ts";
import { confirm, openShop, press, tile, typeNumber } from "../support/look-shop.ts";
import { LANGUAGES, lookAt } from "../support/looks.ts";

for (const language of LANGUAGES) {
  test(`faults of the counter, ${language}`, async ({ page, freshShop }) => {
    const look = (name: string) => lookAt(page, `fault-${name}-${language}`);
    await openShop(page, freshShop, { language });
    const alert = page.locator("main").getByRole("alert").first();
    await failAnswers(page, /\/pos\/(?:offers|brands|esim-destinations)/);
    await page.keyboard.type("50251234567");
    await expect(page.getByText(/Guatemala|غواتيمالا/).last()).toBeVisible();
    await press(page, "Enter");
    await expect(alert).toBeVisible();
    await look("offers");
    await press(page, "F2");
    await expect(alert).toBeVisible();
    await look("brands");
    await press(page, "F3");
    await expect(alert).toBeVisible();
    await look("destinations");
    await page.unrouteAll();

    await press(page, "F4");
    await expect(tile(page, 1)).toBeVisible();
    await page.keyboard.type("qqqq");
    await look("nothing-fits");
    await press(page, "F1", "Escape", "Escape");
    await page.keyboard.type("5025123456");
    await look("digits-missing");
    await press(page, "Escape");
    await freshShop.admin("wallet", "set", "--env", "test", "--amount", "50");
    await typeNumber(page, "50251234567");
    await expect(tile(page, 2)).toHaveAttribute("aria-disabled", "true");
    await press(page, "2");
    await expect(page.locator("#offer-tiles [aria-disabled=true]").first()).toBeVisible();
    await look("wallet-short");
    await freshShop.admin("wallet", "set", "--env", "test", "--amount", "150");
    await expect(tile(page, 2)).not.toHaveAttribute("aria-disabled", "true");
    await press(page, "2");
    await expect(confirm(page)).toBeVisible();
    await press(page, "+");
    await typeNumber(page, "50251234568");
    await press(page, "2");
    await expect(page.getByRole("main").getByRole("note").first()).toBeVisible();
    await look("wallet-short-basket");
  });

  test(`faults of the other screens, ${language}`, async ({ page, freshShop }) => {
    const look = (name: string) => lookAt(page, `fault-${name}-${language}`);
    await openShop(page, freshShop, { language });
    const alert = page.locator("main").getByRole("alert").first();
    await failAnswers(page, /\/pos\/(?:sales\?|shifts|z-reports|staff|audit-trail|printers)/);
    for (const [key, name] of [
      ["F6", "today"],
      ["F7", "shift"],
      ["F10", "staff"],
    ] as const) {
      await press(page, key);
      await expect(alert).toBeVisible();
      await look(name);
    }
    await page.locator("main .mantine-Button-root").first().click();
    await expect(alert).toBeVisible();
    await look("audit-trail");
    await page.goto(`${freshShop.url}/#/printing`);
    await expect(alert).toBeVisible();
    await look("printing");
  });

  test(`empty screens, ${language}`, async ({ page, freshShop }) => {
    const look = (name: string) => lookAt(page, `empty-${name}-${language}`);
    await openShop(page, freshShop, { language });
    await press(page, "F6");
    await expect(page.locator("main h1")).toBeVisible();
    await expect(page.locator("main [aria-busy]")).toHaveCount(0);
    await look("today");
    await press(page, "F1");
    await page.keyboard.type("85023456789");
    await expect(page.locator("main input[inputmode=tel]")).toHaveValue(/850/);
    await look("no-brands");
    await page.route(/\/pos\/(?:offers|brands)/, (route) => route.fulfill({ json: { list: [] } }));
    await page.route(/\/pos\/esim-destinations/, (route) =>
      route.fulfill({ json: { countries: [], regions: [] } }),
    );
    await page.reload();
    await expect(page.locator("main input[inputmode=tel]")).toBeVisible();
    await page.keyboard.type("50251234567");
    await expect(page.getByText(/Guatemala|غواتيمالا/).last()).toBeVisible();
    await press(page, "Enter");
    await expect(page.getByText(/Tigo/).first()).toBeVisible();
    await look("no-offers");
    await press(page, "F2");
    await expect(page.locator("#picker-title")).toBeVisible();
    await look("no-vouchers");
    await press(page, "F3");
    await expect(page.locator("#picker-title")).toBeVisible();
    await look("no-esims");
  });
}
