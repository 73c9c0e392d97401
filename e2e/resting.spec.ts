/** The idle counter: usual items are one digit away, and no typed number picks them. */
import { expect, test } from "./fixtures.ts";
import { countedKeys } from "./support/counted-keys.ts";
import { layoutShift } from "./support/layout-shift.ts";
import { sellUsualThings } from "./support/usual-sales.ts";

test("a digit and Enter pick what is usual, and digits are a number", async ({
  counter,
  page,
  shop,
}) => {
  await test.step("a new shop is told which numbers to try", async () => {
    const tried = page.getByRole("region", { name: "Test numbers" });
    await expect(tried.getByRole("button")).toHaveCount(3);
  });
  await sellUsualThings(page, 4);
  await page.reload();
  const usual = page.getByRole("region", { name: "Popular now" });
  const cemaco = usual.getByRole("button", { name: /Cemaco/ });
  await expect(cemaco).toBeVisible();
  const digit = await cemaco.locator("[data-key]").innerText();

  await test.step("nothing has moved while all of it came", async () => {
    expect(await layoutShift(page)).toBe(0);
  });

  await test.step("however slowly it is typed, a number is a number", async () => {
    await counter.press(digit, digit);
    await expect(counter.number).toHaveValue(new RegExp(`^${digit} ?${digit}$`));
    await expect(usual).toBeHidden();
    await counter.press("Escape");
  });

  await test.step("its digit, Enter, and the payment", async () => {
    const before = (await shop.v1("/vouchers/purchases?_limit=10&_offset=0")).total;
    counter.keys = 0;
    await counter.press(digit);
    await expect(cemaco).toHaveAttribute("aria-current", "true");
    await expect(counter.primary(/Continue with Cemaco/)).toBeEnabled();
    await counter.press("Enter");
    // Anybody's card was sold a moment ago: the same again is on purpose.
    await expect(counter.primary(/Sell again anyway/)).toBeEnabled();
    expect((await shop.v1("/vouchers/purchases?_limit=10&_offset=0")).total).toBe(before);
    await counter.press("F8");
    expect(counter.keys).toBe(countedKeys("A gift card among the tiles of this hour"));
    await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
  });
});
