import { expect, OWNER_PIN, openShift, setUp, test } from "../fixtures.ts";
import { lookAt } from "../support/looks.ts";

const NAMES = {
  "+50251234567": "Mamá",
  "+50231234567": "María José de la farmacia de la esquina",
  "+96170123456": "خالي أبو يوسف",
};

for (const language of ["pt", "ar"] as const) {
  test(`known numbers, ${language}`, async ({ page, freshShop }) => {
    test.setTimeout(400_000);
    const look = (name: string) => lookAt(page, `${name}-${language}`);
    await setUp(freshShop, { name: "Tienda Sol", language });
    await openShift(freshShop, "Rosa", OWNER_PIN);
    await page.goto(freshShop.url);
    await page.getByRole("button", { name: "Rosa" }).waitFor();
    await page.keyboard.type(OWNER_PIN);
    await page.keyboard.press("Enter");
    const number = page.locator("[data-counter-field]");
    await expect(number).toBeVisible();
    for (const [phone, name] of Object.entries(NAMES)) {
      await page.evaluate(
        ([path, body]) =>
          fetch(path, { method: "PUT", headers: { "content-type": "application/json" }, body }),
        [`/pos/favourites/${encodeURIComponent(phone)}`, JSON.stringify({ name })] as const,
      );
    }
    await page.reload();
    await expect(number).toBeVisible();
    await page.keyboard.type("50251234567");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("button", { name: /5[.,]43/ }).first()).toBeVisible();
    await page.keyboard.press("1");
    await expect(page.getByRole("button", { name: /Mamá/ })).toBeVisible();
    await look("known-confirm");
    await page.keyboard.press("Enter");
    await expect(page.locator("[data-outcome=DELIVERED]").first()).toBeVisible();
    await look("known-numbers");
    await page.keyboard.type("mar");
    await look("known-letters");
    await page.keyboard.press("Alt+n");
    await expect(page.locator("form input")).toBeFocused();
    await look("known-naming");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page.keyboard.type("3123");
    await expect(page.getByText("María José", { exact: false })).toBeVisible();
    await look("known-digits");
    await page.keyboard.press("Escape");
    await page.keyboard.type("c");
    await expect(page.getByText(/Cemaco/).first()).toBeVisible();
    await look("field-things");
    await page.keyboard.type("zzz");
    await expect(page.getByText(/czzz/)).toBeVisible();
    await look("field-nothing");
    await page.goto(`${freshShop.url}/#/printing`);
    await page
      .getByRole("textbox")
      .last()
      .fill(`+502 2222 3333\n${"x".repeat(43)}`);
    await page.locator("form [type=submit]").last().click();
    await expect(page.locator("[data-error]").first()).toBeVisible();
    await look("known-receipt-text");
  });
}
