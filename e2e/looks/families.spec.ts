/** The screens of every family, of the basket and of its payment, looked at like all the others. */
import { expect, OWNER_PIN, openShift, setUp, test } from "../fixtures.ts";
import { LOOKS, lookAt } from "../support/looks.ts";

for (const { theme, language } of LOOKS) {
  test(`screens of selling, ${theme}, ${language}`, async ({ page, freshShop }) => {
    test.setTimeout(400_000);
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    const look = (name: string) => lookAt(page, `${name}-${language}-${theme}`);
    const press = (...keys: string[]) =>
      keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());

    await setUp(freshShop, { name: "Tienda Sol", language });
    await openShift(freshShop, "Rosa", OWNER_PIN);
    await page.goto(freshShop.url);
    await page.getByRole("button", { name: "Rosa" }).waitFor();
    await page.keyboard.type(OWNER_PIN);
    await press("Enter");
    await expect(page.getByRole("textbox").first()).toBeVisible();

    await press("F2");
    await expect(page.getByRole("button", { name: /Cemaco/ })).toBeVisible();
    await look("selling-brands");
    await page.keyboard.type("walm");
    await press("Enter");
    await expect(page.getByRole("button", { name: /50/ }).first()).toBeVisible();
    await look("selling-vouchers");
    await press("1");
    await expect(page.getByRole("textbox", { name: "Recipient's first name" })).toBeVisible();
    await page.keyboard.type("Mar");
    await look("selling-field");
    await press("Enter");
    await page.keyboard.type("L");
    await press("Enter");
    await page.keyboard.type("maria@example.com");
    await press("Enter");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await look("selling-voucher-confirm");

    await press("F3");
    await expect(page.getByRole("button", { name: /61[.,]93/ }).first()).toBeVisible();
    await look("selling-places");
    await press("4");
    await expect(page.getByRole("combobox").first()).toBeVisible();
    await expect(page.getByRole("button", { name: /46[.,]43/ }).first()).toBeVisible();
    await look("selling-plans");
    await press("1");
    await expect(page.getByText("*#06#")).toBeVisible();
    await look("selling-device");
    await press("n");
    await look("selling-device-unfit");
    await press("Escape", "Escape", "Alt+i");
    await page.keyboard.type("8900065981598949729");
    await look("selling-iccid");
    await press("Escape");

    await press("F1");
    await page.keyboard.type("50251234567");
    await press("Enter");
    await expect(page.getByRole("button", { name: /26[.,]35/ })).toBeVisible();
    await press("5");
    await expect(page.getByText("+502 5123 4567").first()).toBeVisible();
    await page.keyboard.type("40");
    await press("c");
    await look("selling-basket-confirm");
    await press("d");
    await page.keyboard.type("10%");
    await look("selling-discount");
    await press("Enter", "Alt+h");
    await look("selling-hold");
    await press("Enter");
    await expect(page.locator("main").getByRole("textbox")).toBeVisible();
    await press("Alt+h");
    await expect(page.locator("main").getByRole("heading", { level: 1 })).toBeVisible();
    await look("selling-held");
    await press("1");
    // The list of what is held names them too; the lines of a sale can be taken out again.
    await expect(page.getByText("Alt+2", { exact: true })).toBeVisible();
    await press("Enter");
    await expect(page.locator("[data-outcome=DELIVERED]").first()).toBeVisible();
    await look("selling-delivered");
  });
}
