import { expect, test } from "./fixtures.ts";

test("too little cash sells nothing", async ({ counter, shop }) => {
  await counter.chooseTopup("50251234567", "5");
  await counter.type("20");
  await expect(counter.primary(/Q 6\.35 left to pay/)).toBeVisible();
  await counter.press("Enter");
  const { total } = await shop.v1("/topups/purchases?_limit=10&_offset=0");
  expect(total).toBe(0);
});

test("a sale is still shown after a reload", async ({ counter, page }) => {
  await counter.sellFirstOffer("50251234567");
  await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
  await page.reload();
  await counter.panel.getByRole("button", { name: /Last sale.*Tigo 5 GTQ.*Delivered/ }).click();
  await expect(counter.panel.getByText("Sale 1", { exact: true })).toBeVisible();
  await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
});

test("a phone number typed as cash is not accepted", async ({ counter, shop, page }) => {
  await counter.chooseTopup("50251234567", "1");
  await counter.type("999999");
  await expect(page.getByText("That is not cash:")).toBeVisible();
  await counter.press("Enter");
  const { total } = await shop.v1("/topups/purchases?_limit=10&_offset=0");
  expect(total).toBe(0);
});

test("the clerk picks the carrier if it is unknown", async ({ counter, page }) => {
  await counter.type("525512345678");
  await expect(page.getByText("Mexico").last()).toBeVisible();
  await counter.press("Enter");
  await expect(page.getByRole("region", { name: "Choose carrier" })).toBeVisible();
  await page.getByRole("button", { name: /Telcel/ }).click();
  await expect(counter.tile(/MXN 50\b|Mex\$ ?50\b|\$ ?50\b/).first()).toBeVisible();
});
