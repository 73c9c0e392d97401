import { CLERK, expect, test } from "./fixtures.ts";
import { Touch } from "./pages/touch.ts";
import { findLayoutFaults } from "./support/layout-faults.ts";

test.use({ hasTouch: true, viewport: { width: 390, height: 844 } });

test("a top-up is sold on a phone without a keyboard", async ({ page, shop }) => {
  const touch = new Touch(page);
  const expectFaultless = async (step: string) =>
    expect.soft(await page.evaluate(findLayoutFaults), step).toEqual([]);

  await test.step("the clerk types the number with its country code on the keypad", async () => {
    await touch.signIn(shop.url, CLERK.name, CLERK.pin);
    await touch.type("+50251234567");
    await expect(page.getByText("Tigo · detected")).toBeVisible();
    await expectFaultless("the number");
    await touch.goOn("Choose an amount");
  });

  await test.step("recipient, product and price are visible with the payment button", async () => {
    await touch.pick(/Q 25\b/);
    await touch.expectToldWhatIsPaid("+502 5123 4567", /Tigo 25/, "Q 26.35");
    await expectFaultless("the confirm step");
    await touch.key("Q 30");
    await touch.goOn(/^Take /);
  });

  await test.step("the outcome and the receipt are visible", async () => {
    const receipt = page.locator("[data-counter]");
    await expect(receipt.getByRole("heading", { name: "Delivered" })).toBeInViewport();
    await expect(receipt.getByRole("button", { name: "Print receipt" })).toBeInViewport({
      ratio: 1,
    });
    await expectFaultless("the receipt");
    expect((await shop.v1("/topups/purchases?_limit=10&_offset=0")).total).toBe(1);
  });

  await test.step("other functions can be used by touch", async () => {
    await page.getByRole("button", { name: "Search", exact: true }).tap();
    await expect(page.getByPlaceholder(/^Search for anything/)).toBeVisible();
  });
});
