import { writerOf } from "../server/testing/direct-writes.ts";
import { expect, test } from "./fixtures.ts";
import { inShop } from "./support/shop-data.ts";

const ANOTHER_DAY = Date.UTC(2026, 0, 2, 15);

test("a sale of another day is found by its number and by its recipient's complete number", {
  tag: "@thorough",
}, async ({ counter, page, shop }) => {
  await counter.sellFirstOffer("50251234567");
  await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
  await inShop(shop.dataDir, async ({ db }) => {
    for (const table of ["sales", "sale_lines"] as const) {
      await writerOf(db).updateTable(table).set({ created_at: ANOTHER_DAY }).execute();
    }
  });
  const search = page.getByRole("combobox", { name: /Search for anything/ });
  const found = page.getByRole("option", { name: /Sale 1 · \+502 5123 4567.*2 Jan/ });
  for (const typed of ["51234567", "50251234567", "1", "Sale 1"]) {
    await page.keyboard.press("Control+k");
    await expect(search).toBeFocused();
    await page.keyboard.type(typed);
    await expect(found).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(search).toBeHidden();
  }
  await page.keyboard.press("Control+k");
  await page.keyboard.type("51234567");
  await found.click();
  await expect(page.getByRole("heading", { name: "Sales" })).toBeVisible();
  const sale = page.getByRole("region", { name: "Sale 1" });
  await expect(sale).toContainText("+502 5123 4567");
});
