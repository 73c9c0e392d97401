import { expect, test } from "./fixtures.ts";

test("today's sales are found by sale number and by recipient's number", async ({
  page,
  counter,
}) => {
  const search = page.getByRole("combobox", { name: /Search for anything/ });
  for (const [number, outcome] of [
    ["50251234567", "Delivered"],
    ["50251239001", "Not delivered"],
  ] as const) {
    await counter.sellFirstOffer(number);
    await expect(counter.panel.getByText(outcome, { exact: true }).first()).toBeVisible();
  }
  await page.keyboard.press("Control+k");
  await expect(search).toBeFocused();
  await page.keyboard.type("51239001");
  const found = page.getByRole("option", { name: /Sale 2 · \+502 5123 9001.*Not delivered/ });
  await expect(found).toBeVisible();
  await expect(page.getByRole("option", { name: /^Sale 1/ })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(search).toBeHidden();
  await page.keyboard.press("Control+k");
  await expect(search).toBeFocused();
  await page.keyboard.type("1");
  await page.keyboard.press("Enter");
  await expect(search).toBeHidden();
  await expect(page.getByRole("heading", { name: "Sales" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Sale 1" })).toContainText("+502 5123 4567");
  await expect(page.getByRole("button", { name: /Print/ }).first()).toBeVisible();

  await test.step("the search finds the sale again after another choice", async () => {
    await page.getByRole("searchbox", { name: "Search number or sale" }).fill("9001");
    await expect(page.getByRole("region", { name: "Sale 2" })).toBeVisible();
    await page.keyboard.press("Control+k");
    await expect(search).toBeFocused();
    await page.keyboard.type("1");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("region", { name: "Sale 1" })).toBeVisible();
  });
});
