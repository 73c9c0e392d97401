import { expect, hireClerk, setUp, test } from "../fixtures.ts";
import { standInForDesktop } from "../support/desktop-stand-in.ts";
import { confirm, enter, openPerson, openShop, press, typeNumber } from "../support/look-shop.ts";
import { LANGUAGES, lookAt } from "../support/looks.ts";

for (const language of LANGUAGES) {
  test(`a shift from float to Z report, ${language}`, async ({ page, freshShop }) => {
    const look = (name: string) => lookAt(page, `${name}-${language}`);
    await setUp(freshShop, { name: "Tienda Sol", language });
    await enter(page, freshShop);
    await expect(page.locator("main form")).toBeVisible();
    await look("shift-gate");
    await page.keyboard.type("200");
    await press(page, "Enter");
    for (const [digits, outcome] of [
      ["50251234567", "DELIVERED"],
      ["50251239002", "NOT_DELIVERED"],
    ] as const) {
      await expect(page.locator("main input[inputmode=tel]")).toBeVisible();
      await typeNumber(page, digits);
      await press(page, "2");
      await expect(confirm(page)).toBeVisible();
      await press(page, "Enter");
      await expect(page.locator(`div[data-outcome=${outcome}]`)).toBeVisible();
    }
    await press(page, "F7");
    await expect(page.locator("main dl").first()).toBeVisible();
    await look("shift-own-empty");
    await press(page, "2");
    await page.keyboard.type("15");
    await press(page, "Enter");
    await page.keyboard.insertText("Leche, café y azúcar para la tienda; lo pidió la propietaria");
    await look("shift-pay-out");
    await press(page, "Enter");
    await expect(page.getByText(/Leche/).first()).toBeVisible();
    await look("shift-own");
    await press(page, "5");
    await expect(page.locator("main aside form")).toBeVisible();
    await page.keyboard.type("150");
    await look("shift-count");
    await press(page, "Enter");
    await expect(page.locator("main article, main dl").first()).toBeVisible();
    await expect(page.locator("main aside form")).toHaveCount(0);
    await look("shift-z");
  });

  test(`shifts of all people, and a shift that cannot close, ${language}`, async ({
    page,
    freshShop,
  }) => {
    const look = (name: string) => lookAt(page, `${name}-${language}`);
    await setUp(freshShop, { name: "Tienda Sol", language });
    await hireClerk(freshShop, "María del Carmen Hernández de la O Ixcoy");
    await enter(page, freshShop);
    await expect(page.locator("main form")).toBeVisible();
    await page.keyboard.type("0");
    await press(page, "Enter");
    await expect(page.locator("main input[inputmode=tel]")).toBeVisible();
    await typeNumber(page, "50251239004");
    await press(page, "1");
    await expect(confirm(page)).toBeVisible();
    await press(page, "Enter");
    await expect(page.locator("div[data-outcome=STILL_SENDING]")).toBeVisible();
    await openPerson(freshShop, "María del Carmen Hernández de la O Ixcoy");
    await press(page, "F7", "5");
    await expect(page.locator("main aside form")).toBeVisible();
    await page.keyboard.type("5.43");
    await press(page, "Enter");
    await expect(page.locator("main").getByRole("alert")).toBeInViewport({ ratio: 0.95 });
    await look("shift-unfinished");
    const views = page.locator("main .mantine-SegmentedControl-label");
    await views.nth(2).click();
    await expect(page.locator("main p").first()).toBeVisible();
    await look("shift-reports-none");
    await views.nth(1).click();
    await expect(page.getByText(/Ixcoy/).first()).toBeVisible();
    await look("shift-others");
    await page.locator("main li button").last().click();
    await expect(page.locator("main form")).toBeVisible();
    await look("shift-force-close");
    await press(page, "Enter");
    await expect(page.locator("main form")).toHaveCount(0);
    await views.nth(2).click();
    await expect(page.locator("main li").first()).toBeVisible();
    await look("shift-reports");
  });

  test(`an update that waits for the end of the shift, ${language}`, async ({
    page,
    freshShop,
  }) => {
    const look = (name: string) => lookAt(page, `update-${name}-${language}`);
    const note = page.locator("main [role=note]").last();
    (await standInForDesktop(page))(true);
    await openShop(page, freshShop, { language });
    await press(page, "F7");
    await expect(page.locator("main dl").first()).toBeVisible();
    await expect(note).toBeVisible();
    await look("waits");
    await press(page, "5");
    await page.keyboard.type("0");
    await press(page, "Enter");
    await expect(page.locator("main aside form")).toHaveCount(0);
    await expect(note).toBeVisible();
    await look("waits-z");
  });
}
