import { expect, test } from "./fixtures.ts";
import { Favourites } from "./pages/favourites.ts";
import { countedKeys } from "./support/counted-keys.ts";

const NOT_DELIVERED = "50251239001";

test("a favourite can be renamed by keyboard, chosen with a letter and two keys, and removed by touch", {
  tag: "@thorough",
}, async ({ counter, page }) => {
  const favourites = new Favourites(page);
  await counter.sellFirstOffer(NOT_DELIVERED);
  await expect(counter.panel.getByRole("heading", { name: "Not delivered" })).toBeVisible();
  await counter.press("Enter");
  await favourites.star("+502 5123 9001").click();
  await favourites.write("Mama");
  await expect(favourites.row("Mama")).toBeVisible();

  await counter.press("ArrowDown", "Alt+n");
  await favourites.write("Mamá Rosa");
  await expect(favourites.row("Mamá Rosa")).toBeVisible();

  await test.step("a letter and Enter twice select the favourite", async () => {
    await counter.press("Escape");
    counter.keys = 0;
    await counter.press("m");
    await expect(counter.primary(/Repeat Q 5\.43/)).toBeEnabled();
    await counter.press("Enter");
    await expect(counter.primary(/Take payment/)).toBeEnabled();
    await counter.press("Enter");
    expect(counter.keys).toBe(countedKeys("A repeat sale to a favourite"));
    await expect(counter.panel.getByText("Sale 2", { exact: true })).toBeVisible();
  });

  await counter.press("Enter");
  await favourites.starOf("Mamá Rosa").click();
  await page.getByRole("button", { name: "Remove" }).click();
  await expect(favourites.star("+502 5123 9001")).toBeVisible();
  await expect(favourites.row("Mamá Rosa")).toHaveCount(0);
});
