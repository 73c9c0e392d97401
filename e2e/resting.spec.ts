import { expect, test } from "./fixtures.ts";
import { countedKeys } from "./support/counted-keys.ts";
import { layoutShift } from "./support/layout-shift.ts";
import { sellUsualThings } from "./support/usual-sales.ts";

test("a digit and Enter pick a usual item, and several digits are a number", async ({
  counter,
  page,
  shop,
}) => {
  await test.step("a new shop sees the numbers to try", async () => {
    const tried = page.getByRole("region", { name: "Test numbers" });
    await expect(tried.getByRole("button")).toHaveCount(3);
  });
  await sellUsualThings(page, 4);
  await page.reload();
  const usual = page.getByRole("region", { name: "Popular now" });
  const cemaco = usual.getByRole("button", { name: /Cemaco/ });
  await expect(cemaco).toBeVisible();
  const digit = await cemaco.locator("[data-key]").innerText();

  await test.step("nothing has moved while the screen loaded", async () => {
    // A font that arrives late may move a word by a few pixels.
    expect(await layoutShift(page)).toBeLessThan(0.001);
  });

  await test.step("a slowly typed number is a number", async () => {
    await counter.press(digit, digit);
    await expect(counter.number).toHaveValue(new RegExp(`^${digit} ?${digit}$`));
    await expect(usual).toBeHidden();
    await counter.press("Escape");
  });

  await test.step("a digit, Enter and the payment sell the item", async () => {
    const before = (await shop.v1("/vouchers/purchases?_limit=10&_offset=0")).total;
    counter.keys = 0;
    await counter.press(digit);
    await expect(cemaco).toHaveAttribute("aria-current", "true");
    await expect(counter.primary(/Continue with Cemaco/)).toBeEnabled();
    await counter.press("Enter");
    // The same card was sold a moment ago, so a repeat needs a confirmation.
    await expect(counter.primary(/Sell again anyway/)).toBeEnabled();
    expect((await shop.v1("/vouchers/purchases?_limit=10&_offset=0")).total).toBe(before);
    await counter.press("F8");
    expect(counter.keys).toBe(countedKeys("A gift card among the products sold most at this hour"));
    await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
  });
});
