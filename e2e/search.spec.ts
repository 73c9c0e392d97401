import { expect, test } from "./fixtures.ts";
import { expectNoFault } from "./support/faultless.ts";

test("the search opens on any screen, and its results open the counter", async ({
  page,
  counter,
}) => {
  await counter.isReady();
  const search = page.getByRole("combobox", { name: /Search for anything/ });

  await test.step("Ctrl+K, the words of a brand in any order, and Enter open the brand's number field", async () => {
    await page.keyboard.press("Control+k");
    await expect(search).toBeFocused();
    await page.keyboard.type("guate tigo");
    await expect(page.getByRole("option", { name: /Tigo.*Guatemala/ }).first()).toBeVisible();
    await expectNoFault(page);
    await page.screenshot({ path: "artifacts/screens/search.png" });
    await page.keyboard.press("Enter");
    await expect(search).toBeHidden();
    await expect(counter.number).toHaveValue("+502");
  });

  await test.step("an Enter right after the last letter waits for the results", async () => {
    await counter.isReady();
    await page.keyboard.press("Control+k");
    await expect(search).toBeFocused();
    await page.keyboard.type("tigo el salvador");
    await page.keyboard.press("Enter");
    await expect(search).toBeHidden();
    await expect(counter.number).toHaveValue("+503");
  });

  await test.step("a number typed on another screen starts a top-up", async () => {
    await page.keyboard.press("F6");
    await page.keyboard.press("Control+k");
    await expect(search).toBeFocused();
    await page.keyboard.type("50251234567");
    await page.getByRole("option", { name: "Top up 50251234567" }).click();
    await expect(counter.number).toHaveValue("502 5123 4567");
  });

  await test.step("the brand of a gift card opens its picker", async () => {
    await page.keyboard.press("Control+k");
    await expect(search).toBeFocused();
    await page.keyboard.type("eskom");
    const first = page.getByRole("option", { name: /Gift card/ }).first();
    await expect(first).toBeVisible();
    await first.click();
    await expect(search).toBeHidden();
    await expect(page.getByRole("main", { name: /Gift/ })).toBeVisible();
  });

  await test.step("matches near the shop's country come first, and the arrows announce the focused match", async () => {
    await page.keyboard.press("Control+k");
    await page.keyboard.type("netfl");
    const options = page.getByRole("option");
    await expect(options.first()).toHaveAccessibleName(/Netflix.*(Colombia|Mexico)/);
    await expect(options.first()).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("ArrowDown");
    await expect(options.nth(1)).toHaveAttribute("aria-selected", "true");
    const active = (await search.getAttribute("aria-activedescendant")) ?? "";
    await expect(options.nth(1)).toHaveAttribute("id", active);
    await expect(search).toBeFocused();
    await page.keyboard.press("Escape");
  });

  await test.step("every destination of the till is found", async () => {
    for (const [words, heading] of [
      ["shift", "Shift"],
      ["printers", "Printers"],
      ["hold", "Sales on hold"],
    ] as const) {
      await page.keyboard.press("Control+k");
      await expect(search).toBeFocused();
      await page.keyboard.type(words);
      await page.keyboard.press("Enter");
      await expect(page.getByRole("heading", { name: heading, exact: true })).toBeVisible();
    }
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("option", { name: "Training mode", exact: true })).toBeVisible();
    await expect(page.getByRole("option", { name: "Audit trail" })).toHaveCount(0);
    await page.keyboard.press("Escape");
  });

  await test.step("a search without results is reported", async () => {
    await page.keyboard.press("Control+k");
    await expect(search).toBeFocused();
    await page.keyboard.type("qqqq");
    await expect(page.getByText("No match.")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(search).toBeHidden();
  });
});
