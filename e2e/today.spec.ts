import { expect, test } from "./fixtures.ts";
import { catchPrints } from "./support/browser-prints.ts";
import { countedKeys } from "./support/counted-keys.ts";

test("a refund due to an earlier customer is booked at the counter, or in Sales, with Alt+G", async ({
  counter,
  page,
}) => {
  for (const [index, number] of ["50251239001", "50251239002"].entries()) {
    await counter.sellFirstOffer(number);
    await expect(counter.panel.getByRole("heading", { name: `Sale ${index + 1}` })).toBeVisible();
    await expect(counter.panel.getByText("Refund due: Q 5.43")).toBeVisible();
  }
  await counter.sellFirstOffer("50251234567");
  await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
  await counter.press("Alt+g");

  const owed = counter.panel.getByRole("button", { name: /^Refund due.*Q 5\.43/ });
  await test.step("both refunds stay visible for the next customer, and Alt+G applies to the open sale", async () => {
    await counter.press("Enter");
    await expect(owed).toHaveCount(2);
    await owed.filter({ hasText: "5123 9001" }).click();
    await expect(counter.panel.getByRole("heading", { name: "Sale 1" })).toBeVisible();
    await counter.press("Alt+g");
    await expect(counter.panel.getByText("Refunded: Q 5.43")).toBeVisible();
    await counter.press("Enter");
    await expect(owed).toHaveCount(1);
  });

  await test.step("in Sales, Alt+G applies to the selected sale", async () => {
    await counter.press("F6");
    const details = page.getByRole("complementary", { name: "Details of the sale" });
    await expect(details.getByText("Delivered", { exact: true })).toBeVisible();
    await counter.press("Alt+g");
    await page.getByRole("button", { name: /5123 9002/ }).click();
    await expect(details.getByRole("button", { name: /^Refund Q 5\.43/ })).toBeVisible();
    await counter.press("Alt+g");
    await expect(details.getByText("Refunded: Q 5.43")).toBeVisible();
    await expect(details.getByRole("button", { name: /^Refund Q/ })).toHaveCount(0);
    await expect(page.getByText("Refunds due", { exact: true })).toHaveCount(0);
  });
});

test("the last receipt is printed again with one key at the counter, and with two keys on any screen", {
  tag: "@thorough",
}, async ({ counter, page }) => {
  const prints = await catchPrints(page);
  await counter.sellFirstOffer("50251234567");
  await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
  await counter.press("p");
  await expect(counter.panel.getByText("Printed 1 time")).toBeVisible();

  await test.step("the key at the counter is P", async () => {
    counter.keys = 0;
    await counter.press("p");
    expect(counter.keys).toBe(countedKeys("The last receipt once more"));
    await expect(counter.panel.getByText("Printed 2 times")).toBeVisible();
  });

  await test.step("F6 and P print from Sales while the next customer is served", async () => {
    await counter.type("5025");
    counter.keys = 0;
    await counter.press("F6");
    const details = page.getByRole("complementary", { name: "Details of the sale" });
    await expect(details.getByText("Printed 2 times")).toBeVisible();
    await counter.press("p");
    expect(counter.keys).toBe(countedKeys("A Sales receipt while the next customer is served"));
    await expect(details.getByText("Printed 3 times")).toBeVisible();
  });

  await test.step("letters typed in Sales print nothing, and digits start a search", async () => {
    await page.keyboard.type("Spain");
    await page.keyboard.type("4567");
    await expect(page.getByRole("searchbox", { name: "Search number or sale" })).toHaveValue(
      "4567",
    );
    await expect(page.getByText("Printed 3 times")).toBeVisible();
  });

  await test.step("each copy is marked and numbered", async () => {
    const [original, ...copies] = await prints();
    expect(original).not.toContain("COPY");
    expect(copies.map((copy) => /COPY \d/.exec(copy)?.[0])).toEqual(["COPY 1", "COPY 2"]);
  });
});
