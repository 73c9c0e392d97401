import { CLERK, expect, OWNER_PIN, test } from "./fixtures.ts";
import { account } from "./pages/sign-in.ts";
import { countedKeys } from "./support/counted-keys.ts";

test("a sale is held while the next customer is served, and resumed with three keys", async ({
  counter,
  page,
  shop,
}) => {
  await counter.type("50251234567");
  await counter.press("Enter");
  await expect(counter.tile(/Q 25\b/)).toBeVisible();
  await counter.press("5");
  await expect(counter.primary(/Take payment Q 26\.35/)).toBeEnabled();

  await test.step("the clerk holds the sale under its number or a name, with two keys", async () => {
    await counter.press("Alt+h");
    await expect(page.getByRole("textbox", { name: "Name for this sale (optional)" })).toHaveValue(
      "+502 5123 4567",
    );
    await counter.press("Enter");
    await expect(counter.number).toHaveValue("");
  });

  await counter.sellFirstOffer("50251234568");
  await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();

  await test.step("the clerk resumes the sale: a key opens the list, a digit picks the sale, Enter takes payment", async () => {
    counter.keys = 0;
    await counter.press("Alt+h");
    await expect(counter.tile(/5123 4567.*Q 26\.35/s)).toBeVisible();
    await counter.press("1");
    await expect(page.getByRole("list", { name: "Items in this sale" })).toContainText(
      "Tigo 25 GTQ",
    );
    await expect(counter.primary(/Take payment Q 26\.35/)).toBeEnabled();
    await counter.press("Enter");
    expect(counter.keys).toBe(countedKeys("A held sale resumed"));
    await expect(counter.panel.getByText("Sale 2", { exact: true })).toBeVisible();
    await expect(counter.panel.getByText("Delivered").first()).toBeVisible();
  });

  const { total } = await shop.v1("/topups/purchases?_limit=10&_offset=0");
  expect(total).toBe(2);
  await expect(page.getByRole("button", { name: /on hold/ })).toHaveCount(0);
});

test("a discount above the clerk's limit needs an approval at the till", {
  tag: "@thorough",
}, async ({ counter, page }) => {
  await counter.type("50251234567");
  await counter.press("Enter");
  await expect(counter.tile(/Q 25\b/)).toBeVisible();
  await counter.press("5");
  await expect(counter.primary(/Take payment Q 26\.35/)).toBeEnabled();
  await counter.press("d");
  await page.keyboard.type("10%");
  await counter.press("Enter");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("textbox", { name: "Rosa’s PIN" })).toBeFocused();
  await page.keyboard.type(OWNER_PIN);
  await page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
  await expect(counter.primary(/Take payment Q 23\.72/)).toBeEnabled();
  await expect(counter.work.getByText("Q 26.35 less Q 2.63")).toBeVisible();
  await counter.press("Enter");
  await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
  await expect(counter.panel.getByText("Q 23.72").first()).toBeVisible();
  await expect(account(page, CLERK.name)).toBeVisible();
});
