import { expect, hireClerk, test } from "../fixtures.ts";
import {
  chooseFromAccount,
  confirm,
  limitClerk,
  openPerson,
  openShop,
  press,
  signInAs,
  typeNumber,
} from "../support/look-shop.ts";
import { LANGUAGES, lookAt } from "../support/looks.ts";

for (const language of LANGUAGES) {
  test(`the owner's screens in ${language}`, async ({ page, freshShop }) => {
    const look = (name: string) => lookAt(page, `${name}-${language}`);
    await openShop(page, freshShop, { language });
    await press(page, "F10");
    await expect(page.locator("main li, main tr").first()).toBeVisible();
    await look("staff-alone");
    await hireClerk(freshShop);
    await hireClerk(freshShop, "María del Carmen Hernández de la O Ixcoy");
    await page.reload();
    await expect(page.getByText(/Ixcoy/).first()).toBeVisible();
    await look("staff");
    await page.locator("main .mantine-Button-root").nth(1).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await look("staff-add");
    await press(page, "Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await page.getByRole("button", { name: /Ana/ }).first().click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await look("staff-rights");
    await press(page, "Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await page.locator("main .mantine-Button-root").first().click();
    await expect(page.locator("main li").first()).toBeVisible();
    await look("audit-trail");
    await page.goto(`${freshShop.url}/#/printing`);
    await expect(page.getByRole("radiogroup").first()).toBeVisible();
    await look("printing");
  });

  test(`an approval, training and the search, ${language}`, async ({ page, freshShop }) => {
    const look = (name: string) => lookAt(page, `${name}-${language}`);
    await openShop(page, freshShop, { language });
    await hireClerk(freshShop);
    await limitClerk(page, { perSale: 100 });
    await openPerson(freshShop, "Ana");
    await press(page, "F9");
    await expect(page.getByRole("button", { name: "Ana" })).toBeVisible();
    await signInAs(page, "Ana");
    await expect(page.locator("main input[inputmode=tel]")).toBeVisible();
    await typeNumber(page, "50251234567");
    await press(page, "1");
    await expect(confirm(page)).toBeVisible();
    await press(page, "Enter");
    await expect(page.getByRole("dialog").locator("input")).toBeFocused();
    await look("approval");
    await page.keyboard.type("0000");
    await press(page, "Enter");
    await expect(
      page.getByRole("dialog").locator("[role=alert], [class*=rror]").first(),
    ).toBeVisible();
    await look("approval-wrong");
    await press(page, "Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await look("approval-refused");

    await press(page, "Escape", "Escape", "Escape", "Escape");
    await press(page, "Control+k");
    await expect(page.locator("input[data-palette-field]")).toBeFocused();
    await page.keyboard.type("tigo");
    await expect(page.getByRole("option").first()).toBeVisible();
    await look("search");
    await page.keyboard.type("qqqq");
    await expect(page.getByRole("option")).toHaveCount(0);
    await look("search-nothing");
    await press(page, "Escape");
    await expect(page.locator("input[data-palette-field]")).toHaveCount(0);

    await chooseFromAccount(page, "school");
    await expect(page.getByRole("region").first()).toBeVisible();
    await look("training");
  });

  test(`the customer's screens, ${language}`, async ({ page, context, freshShop }) => {
    await openShop(page, freshShop, { language });
    await chooseFromAccount(page, "device-tv");
    const dialog = page.getByRole("dialog");
    await expect(dialog).toBeVisible();
    await lookAt(page, `display-dialog-off-${language}`);
    await dialog.getByRole("button").last().click();
    await expect(dialog.getByRole("status")).toBeVisible();
    await lookAt(page, `display-dialog-${language}`);
    const code = await dialog.getByRole("status").textContent();
    await press(page, "Escape");
    await expect(dialog).toHaveCount(0);

    const display = await context.newPage();
    const look = (name: string) => lookAt(display, `${name}-${language}`);
    await display.goto(`${freshShop.url}/display`);
    await expect(display.locator("input")).toBeVisible();
    await look("display-code");
    await display.locator("input").fill(code ?? "");
    await display.keyboard.press("Enter");
    await expect(display.getByRole("heading", { name: "Tienda Sol" })).toBeVisible();
    await look("display-welcome");
    await page.bringToFront();
    await typeNumber(page, "50251234567");
    await press(page, "5");
    await expect(display.getByText("+502 5123 4567")).toBeVisible();
    await display.bringToFront();
    await look("display-confirm");
    await page.bringToFront();
    await page.keyboard.type("100");
    await press(page, "Enter");
    await expect(page.locator("div[data-outcome=DELIVERED]")).toBeVisible();
    await expect(display.getByText(/73[.,]65/)).toBeVisible();
    await display.bringToFront();
    await look("display-paid");
  });
}
