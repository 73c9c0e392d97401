import { expect, test } from "./fixtures.ts";
import type { Counter } from "./pages/counter.ts";
import { editCatalog, makeDearer } from "./support/edit-catalog.ts";

test("a gift card that was just sold causes a warning, and F8 sells it again", async ({
  counter,
  page,
}) => {
  await openCemaco(counter);
  await counter.press("Enter");
  await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();

  await openCemaco(counter);
  await expect(page.getByRole("alert")).toHaveText(
    /^Ana already sold the same product \(.+, sale 1\)\. Ask whether this is another customer\.$/,
  );
  await counter.press("Enter", "Enter");
  await expect(counter.primary(/Sell again anyway/)).toBeEnabled();
  await counter.press("F8");
  await expect(counter.panel.getByText("Sale 2", { exact: true })).toBeVisible();
});

test("after the price of an item changes, the till shows both prices, asks for a confirmation, and sells at the new price", {
  tag: "@thorough",
}, async ({ counter, page, shop }) => {
  await test.step("the clerk starts two items, one of them in the basket", async () => {
    await counter.chooseTopup("50251234567", "5");
    await expect(counter.primary(/Take payment Q 26\.35/)).toBeEnabled();
    await counter.press("+");
    await openCemaco(counter);
    await expect(page.getByRole("list", { name: "Items in this sale" })).toContainText(
      "Tigo 25 GTQ",
    );
  });

  const before = (await counter.primary(/Take payment/).textContent()) ?? "";
  await test.step("the owner's catalog raises the cost of the second item", async () => {
    await editCatalog(shop, makeDearer("CEMACO_GT_GIFT_50"));
  });

  await test.step("the till shows the old and the new price of that item only", async () => {
    await expect(page.getByRole("alert")).toHaveText(
      /^Cemaco 50 GTQ now costs Q\s55\.65 instead of Q\s50\.61\. Tell the customer, then continue\.$/,
    );
    await expect(page.getByRole("main").locator("del")).toHaveText(/Q\s50\.61/);
    const items = page.getByRole("list", { name: "Items in this sale" }).getByRole("listitem");
    await expect(items.filter({ has: page.locator("del") })).toHaveCount(1);
    await expect(counter.primary(/Take payment/)).not.toHaveText(before);
    const { total } = await shop.v1("/vouchers/purchases?_limit=10&_offset=0");
    expect(total).toBe(0);
  });

  await counter.press("Enter");
  await expect(counter.panel.getByRole("listitem").getByText("Delivered")).toHaveCount(2);
});

test("a carrier that differs from the number's range causes a warning before the payment, even if the till remembers that carrier", {
  tag: "@thorough",
}, async ({ counter, page }) => {
  const confirm = page.getByRole("region", { name: "Confirm with the customer" });
  await counter.type("50251234567");
  await expect(page.getByText("Tigo · detected")).toBeVisible();
  await counter.press("Alt+c");
  await page.getByRole("button", { name: /Claro/ }).click();
  await expect(counter.tile(/Q 25\b/)).toBeVisible();
  await page.getByRole("button", { name: /Q 25\b/ }).click();
  await expect(confirm).toContainText("Claro");
  await expect(confirm).toContainText("The number looks like Tigo");

  await counter.press("Escape", "Escape", "Escape");
  await counter.type("50251234567");
  await expect(page.getByText("Claro · remembered")).toBeVisible();
  await counter.press("Enter");
  await expect(counter.tile(/Q 25\b/)).toBeVisible();
  await page.getByRole("button", { name: /Q 25\b/ }).click();
  await expect(confirm).toContainText("The number looks like Tigo");
});

async function openCemaco(counter: Counter): Promise<void> {
  await counter.press("F2");
  await expect(counter.tile(/Cemaco/)).toBeVisible();
  await counter.type("cem");
  await expect(counter.primary(/Continue with Cemaco/)).toBeEnabled();
  await counter.press("Enter");
  await expect(counter.tile(/Q ?50\b/)).toBeVisible();
  await counter.press("1");
  await expect(
    counter.page.getByRole("region", { name: "Confirm with the customer" }),
  ).toBeVisible();
}
