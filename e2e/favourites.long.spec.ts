import { expect, test } from "./fixtures.ts";
import { Favourites } from "./pages/favourites.ts";
import { countedKeys } from "./support/counted-keys.ts";

const MAMA = "50251234567";

test("a customer who was stored after a sale is found by the first letter of the name", async ({
  counter,
  page,
}) => {
  const favourites = new Favourites(page);
  await counter.sellFirstOffer(MAMA);
  await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();

  await test.step("a single key asks for the name", async () => {
    await counter.press("Alt+n");
    await favourites.write("Mamá");
    await expect(counter.number).toBeFocused();
    await counter.press("Enter");
    await expect(favourites.row("Mamá")).toContainText("+502 5123 4567");
  });

  await test.step("a letter and Enter find the customer, and F8 confirms the repeated sale", async () => {
    counter.keys = 0;
    await counter.press("m");
    await expect(counter.primary(/Repeat Q 5\.43/)).toBeEnabled();
    await counter.press("Enter");
    await expect(page.getByRole("heading", { name: "Confirm with the customer" })).toBeVisible();
    await expect(page.getByRole("main").getByRole("button", { name: "Mamá" })).toBeVisible();
    await counter.press("F8");
    expect(counter.keys).toBe(countedKeys("A repeat sale to a favourite"));
    await expect(counter.panel.getByText("Sale 2", { exact: true })).toBeVisible();
  });
});

test("a number that was stored at the confirm step is found by its digits", async ({
  counter,
  page,
}) => {
  const favourites = new Favourites(page);
  await counter.chooseTopup("50251230000", "1");
  await counter.press("Alt+n");
  await favourites.write("Taxi Luis");
  await expect(page.getByRole("main").getByRole("button", { name: "Taxi Luis" })).toBeVisible();
  await counter.press("Escape", "Escape", "Escape");

  await expect(favourites.row("Taxi Luis")).toContainText("Nothing sold yet");
  await counter.type("1230");
  await expect(favourites.row("Taxi Luis")).toBeVisible();
  await counter.press("ArrowDown", "Enter");
  await expect(counter.tile(/Q 5\b/).first()).toBeVisible();
});

test("an unknown name is reported, and Esc returns to the input of numbers", async ({
  counter,
  page,
}) => {
  await counter.type("zzz");
  await expect(page.getByText("No results for “zzz”")).toBeVisible();
  await counter.press("Enter", "Escape");
  await expect(counter.number).toHaveValue("");
});

test("the search finds a favourite by name", async ({ counter, page }) => {
  const favourites = new Favourites(page);
  await counter.sellFirstOffer(MAMA);
  await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
  await counter.press("Alt+n");
  await favourites.write("Mamá");
  await expect(counter.work.getByRole("button", { name: "Mamá" })).toBeVisible();
  await counter.press("Control+k");
  const search = page.getByRole("combobox", { name: /Search for anything/ });
  await expect(search).toBeFocused();
  await page.keyboard.type("mama");
  await expect(page.getByRole("option", { name: /^Mamá \+502 5123 4567/ })).toBeVisible();
  await counter.press("Enter");
  await expect(counter.number).toHaveValue("+502 5123 4567");
});
