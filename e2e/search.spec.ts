import { expect, test } from "./fixtures.ts";
import { expectNoFault } from "./support/faultless.ts";

test("anything is found from anywhere and leads to the counter", async ({ page, counter }) => {
  await counter.isReady();
  const search = page.getByRole("combobox", { name: /Search for anything/ });

  await test.step("Ctrl+K, a brand in any order of words, Enter: its country is typed", async () => {
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

  await test.step("Enter right after the last letter waits for what it finds", async () => {
    await counter.isReady();
    await page.keyboard.press("Control+k");
    await expect(search).toBeFocused();
    await page.keyboard.type("tigo el salvador");
    await page.keyboard.press("Enter");
    await expect(search).toBeHidden();
    await expect(counter.number).toHaveValue("+503");
  });

  await test.step("A number, from another screen", async () => {
    await page.keyboard.press("F6");
    await page.keyboard.press("Control+k");
    await expect(search).toBeFocused();
    await page.keyboard.type("50251234567");
    await page.getByRole("option", { name: "Top up 50251234567" }).click();
    await expect(counter.number).toHaveValue("502 5123 4567");
  });

  await test.step("A gift card’s brand opens the picker with it", async () => {
    await page.keyboard.press("Control+k");
    await expect(search).toBeFocused();
    await page.keyboard.type("eskom");
    const first = page.getByRole("option", { name: /Gift card/ }).first();
    await expect(first).toBeVisible();
    await first.click();
    await expect(search).toBeHidden();
    await expect(page.getByRole("main", { name: /Gift/ })).toBeVisible();
  });

  await test.step("What is near the shop's own country comes first, and the arrows say what they are on", async () => {
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

  await test.step("every place of the till is found", async () => {
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

  await test.step("What is nowhere is said", async () => {
    await page.keyboard.press("Control+k");
    await expect(search).toBeFocused();
    await page.keyboard.type("qqqq");
    await expect(page.getByText("No match.")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(search).toBeHidden();
  });
});
