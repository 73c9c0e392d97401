import { expect, test } from "./fixtures.ts";
import { catchPrints } from "./support/browser-prints.ts";
import { countedKeys } from "./support/counted-keys.ts";
import { expectNoFault } from "./support/faultless.ts";

test("a receipt is in the customer's language for this sale only", { tag: "@thorough" }, async ({
  counter,
  page,
}) => {
  const prints = await catchPrints(page);
  const receiptIn = counter.panel.getByRole("combobox", { name: "Receipt in" });

  await test.step("a single key changes the language at the confirm step", async () => {
    await counter.type("50251234567");
    await counter.press("Enter");
    await expect(counter.tile(/Q 5\b/).first()).toBeVisible();
    await counter.press("1");
    await expect(receiptIn).toHaveValue("en");
    counter.keys = 0;
    await counter.press("Alt+l");
    expect(counter.keys).toBe(countedKeys("The receipt in the next language"));
    await expect(receiptIn).toHaveValue("es");
    await expect(counter.primary(/Take payment/)).toBeEnabled();
    await counter.press("Enter");
    await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
    await counter.press("p");
    await expect(counter.panel.getByText("Printed 1 time")).toBeVisible();
    expect((await prints()).at(-1)).toContain("Venta 000001");
  });

  await test.step("a touch in Sales prints the copy in a different language", async () => {
    await page.keyboard.press("F6");
    const details = page.getByRole("complementary", { name: "Details of the sale" });
    await details.getByRole("combobox", { name: "Receipt in" }).selectOption("العربية");
    await page.keyboard.press("p");
    await expect(details.getByText("Printed 2 times")).toBeVisible();
    expect((await prints()).at(-1)).toContain("نسخة");
    await expectNoFault(page);
  });

  await test.step("the next customer's receipt is in the shop's language", async () => {
    await page.keyboard.press("F1");
    await counter.isReady();
    await counter.sellFirstOffer("50251234568");
    await expect(counter.panel.getByText("Sale 2", { exact: true })).toBeVisible();
    await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
    await counter.press("p");
    await expect(counter.panel.getByText("Printed 1 time")).toBeVisible();
    expect((await prints()).at(-1)).toContain("Sale 000002");
  });
});
