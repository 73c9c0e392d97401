import { expect, test } from "./fixtures.ts";

test("the till explains before the payment that the biller refuses an amount", async ({
  counter,
  page,
}) => {
  await counter.press("F4");
  await expect(page.getByRole("heading", { name: "Choose a biller" })).toBeVisible();
  await counter.type("claro");
  await expect(counter.primary(/Continue with Claro/)).toBeEnabled();
  await counter.press("Enter");
  await expect(counter.tile(/Phone bill/)).toBeVisible();
  await counter.press("1");
  await expect(page.getByRole("textbox", { name: "Account number" })).toBeFocused();
  await counter.type("30001234567");
  await counter.press("Enter");
  await expect(page.getByText("The customer may pay more, but not less.")).toBeVisible();
  await page.keyboard.type("1");
  await expect(page.getByRole("alert")).toContainText("doesn’t accept less than the amount due");
  await counter.press("Enter");
  await expect(page.getByRole("region", { name: "Confirm with the customer" })).toHaveCount(0);
});

test("a typed amount other than the amount due is the customer's price on every screen", async ({
  counter,
  page,
}) => {
  await counter.press("F4");
  await expect(page.getByRole("heading", { name: "Choose a biller" })).toBeVisible();
  await counter.type("claro");
  await expect(counter.primary(/Continue with Claro/)).toBeEnabled();
  await counter.press("Enter");
  await expect(counter.tile(/Phone bill/)).toBeVisible();
  await counter.press("1");
  await expect(page.getByRole("textbox", { name: "Account number" })).toBeFocused();
  await counter.type("30001234567");
  await counter.press("Enter");
  await expect(page.getByText("The customer may pay more, but not less.")).toBeVisible();
  await page.keyboard.type("999");
  await expect(counter.primary(/Continue with Q/)).toBeEnabled();
  const button = (await counter.primary(/Continue with Q/).textContent()) ?? "";
  const price = /Q\s?[\d,.]+/.exec(button.replaceAll(/[\u2066-\u2069]/g, ""))?.[0] ?? "";
  await expect(page.getByText(/Amount due/)).toBeVisible();
  const pays = page.getByRole("main").getByText("Total", { exact: true }).locator("..");
  await expect(pays).toContainText(price.replaceAll(/\s/g, " "));
  await counter.press("Enter");
  const confirm = page.getByRole("region", { name: "Confirm with the customer" });
  await expect(confirm.getByText("Amount due")).toBeVisible();
  await expect(confirm).toContainText("Q 999.00");
  await expect(counter.panel).toContainText(price.replaceAll(/\s/g, " "));
  await page.screenshot({ path: "artifacts/screens/bill-other-amount.png" });
});
