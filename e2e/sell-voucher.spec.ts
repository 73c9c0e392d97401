import { expect, test } from "./fixtures.ts";
import { countedKeys } from "./support/counted-keys.ts";

test("Ana sells a gift card of the shop's country with seven keys: letters search and digits pick", {
  tag: "@core",
}, async ({ counter, page }) => {
  await test.step("the brands of the shop's country come first", async () => {
    counter.keys = 0;
    await counter.press("F2");
    await expect(page.getByRole("heading", { name: "Gift cards" })).toBeVisible();
    await expect(counter.tile(/Cemaco/)).toBeVisible();
    await expect(page.getByRole("button", { name: /^Sold here/, pressed: true })).toBeVisible();
  });

  await test.step("the filters list every country and one kind of card", async () => {
    const everywhere = page.getByRole("button", { name: /^All countries/ });
    await everywhere.click();
    await expect(everywhere).toHaveAttribute("aria-pressed", "true");
    const kinds = page.getByRole("group", { name: "Kind of card" });
    await kinds.getByRole("button", { name: "Games" }).click();
    await expect(counter.tile(/Cemaco/)).toBeHidden();
    await page.getByRole("button", { name: /^Sold here/ }).click();
    await expect(counter.tile(/Cemaco/)).toBeVisible();
  });

  await test.step("three letters find the brand, and Enter takes the first match", async () => {
    await counter.press("c", "e", "m");
    await expect(counter.primary(/Continue with Cemaco/)).toBeEnabled();
    await counter.press("Enter");
  });

  await test.step("the clerk picks an amount, and the confirm step describes the sale", async () => {
    await expect(counter.tile(/Q ?\d+/).first()).toBeVisible();
    await counter.press("1");
    await expect(page.getByRole("region", { name: "Confirm with the customer" })).toContainText(
      "Cemaco",
    );
    await expect(
      page.getByText("Gift cards can’t be refunded after the code is shown."),
    ).toBeVisible();
    await expect(counter.primary(/Take payment/)).toBeEnabled();
    await counter.press("Enter");
    expect(counter.keys).toBe(countedKeys("Gift card, among gift cards alone"));
  });

  await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
  await test.step("without a printer, the clerk reads the code from the screen in groups of four", async () => {
    await expect(counter.panel.getByText("PIN", { exact: true })).toBeVisible();
    await expect(counter.panel).toContainText(/[0-9A-Z]{4} [0-9A-Z]{4}/);
  });
});

test("the till asks for each required field separately, with the brand's label", {
  tag: "@thorough",
}, async ({ counter, page, shop }) => {
  await counter.press("F2");
  await expect(counter.tile(/Walmart/)).toBeVisible();
  await counter.type("walm");
  await counter.press("Enter");
  await test.step("the shop's country is selected, and a key changes it", async () => {
    await expect(counter.tile(/Q 50\b/)).toBeVisible();
    await counter.press("Alt+c");
    await expect(
      page.getByRole("heading", { name: "Choose the country for Walmart" }),
    ).toBeVisible();
    await counter.press("1");
  });
  await expect(counter.tile(/Q 50\b/)).toBeVisible();
  await counter.press("1");

  const asked = page.getByRole("textbox");
  for (const [label, text] of [
    ["Recipient’s first name", "María"],
    ["Recipient’s last name", "López"],
  ] as const) {
    await expect(page.getByRole("textbox", { name: label })).toBeFocused();
    await counter.press("Enter");
    await expect(page.getByRole("textbox", { name: label })).toBeFocused();
    await page.keyboard.insertText(text);
    await counter.press("Enter");
  }
  await expect(page.getByRole("textbox", { name: "Recipient’s e-mail address" })).toBeFocused();
  await page.keyboard.insertText("maria@");
  await expect(page.getByText("This is not an e-mail address")).toBeVisible();
  await counter.press("Enter");
  await expect(asked).toHaveCount(1);
  await page.keyboard.insertText("example.com");
  await counter.press("Enter");

  const confirm = page.getByRole("region", { name: "Confirm with the customer" });
  for (const said of ["María", "López", "maria@example.com"]) {
    await expect(confirm.getByText(said).last()).toBeVisible();
  }
  await test.step("undo leads back to the last field with its text", async () => {
    await counter.press("Escape");
    await expect(page.getByRole("textbox")).toHaveValue("maria@example.com");
    await counter.press("Enter");
  });
  await expect(counter.primary(/Take payment/)).toBeEnabled();
  await counter.press("Enter");
  await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
  const { list } = await shop.v1("/vouchers/purchases?_limit=10&_offset=0");
  expect((list as { fields: unknown }[])[0]?.fields).toEqual([
    { key: "recipient.firstName", value: "María" },
    { key: "recipient.lastName", value: "López" },
    { key: "recipient.email", value: "maria@example.com" },
  ]);
});

test("a top-up and a gift card are paid together, by card and cash", async ({ counter, page }) => {
  await counter.type("50251234567");
  await counter.press("Enter");
  await expect(counter.tile(/Q 25\b/)).toBeVisible();
  await counter.press("5");
  await expect(counter.primary(/Take payment Q 26\.35/)).toBeEnabled();
  await counter.press("F2");
  await expect(counter.panel.getByText("Tigo 25 GTQ", { exact: true })).toBeVisible();
  await expect(counter.primary(/Go to payment/)).toBeVisible();
  await counter.type("cem");
  await counter.press("Enter");
  await expect(counter.tile(/Q ?\d+/).first()).toBeVisible();
  await counter.press("1");
  await expect(page.getByRole("list", { name: "Items in this sale" })).toContainText("Tigo 25 GTQ");
  await expect(counter.primary(/Take payment/)).toBeEnabled();
  await counter.type("20");
  await counter.press("c");
  await expect(counter.panel.getByRole("listitem").getByText("Q 20.00")).toBeVisible();
  await counter.press("Enter");
  await expect(counter.panel.getByRole("listitem").getByText("Delivered")).toHaveCount(2);
  await expect(counter.panel.getByText("Card", { exact: true })).toBeVisible();
});
