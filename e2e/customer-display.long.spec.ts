import { expect, test } from "./fixtures.ts";

test("a customer display reports missing updates and recovers automatically", async ({
  page,
  counter,
  shop,
  context,
}) => {
  await counter.openFromAccount("Customer display");
  await page.getByRole("button", { name: "Turn on" }).click();
  const code = await page.getByRole("status", { name: "Code" }).textContent();
  await page.getByRole("button", { name: "Close" }).click();
  await counter.isReady();
  const display = await context.newPage();
  await display.goto(`${shop.url}/display#${code?.replace(" ", "")}`);
  await expect(display.getByRole("heading", { name: "Tienda Sol" })).toBeVisible();
  await shop.kill();
  await expect(display.getByText("One moment, please")).toBeVisible();
  await shop.start();
  await expect(display.getByRole("heading", { name: "Tienda Sol" })).toBeVisible();
});
