import { expect, OWNER_PIN, test } from "./fixtures.ts";
import { expectNoFault } from "./support/faultless.ts";

test.beforeEach(async ({ page, shop, signIn }) => {
  await signIn.as("Rosa", OWNER_PIN);
  await expect(page.getByRole("navigation").first()).toBeVisible();
  const alert = { environment: "test", lowAmount: 5_000 };
  expect((await page.request.put(`${shop.url}/pos/wallet/alert`, { data: alert })).ok()).toBe(true);
  const { list, newest } = await (await page.request.get(`${shop.url}/pos/prices/test`)).json();
  const plain = { enabled: true, class: "STANDARD", channel: "ANY", basis: "COST", how: "MARKUP" };
  const rules = [
    { ruleId: "cards", target: { family: "VOUCHER" }, percent: "8", ...plain },
    { ruleId: "tigo", target: { brand: "TIGO" }, percent: "5", ...plain },
  ];
  const data = { list: { ...list, rules }, base: newest };
  expect((await page.request.put(`${shop.url}/pos/prices/test`, { data })).ok()).toBe(true);
  await page.goto(`${shop.url}/#/office/live?view=copy`);
  await expect(page.getByRole("heading", { name: "Differences" })).toBeVisible();
});

test("ticked differences are copied to live in one step, and disappear from the list", async ({
  page,
}) => {
  const main = page.getByRole("main");
  await expect(main.getByRole("checkbox", { name: "Copy: Tigo" })).toBeDisabled();
  await expect(main.getByText("it is not in live’s catalog")).toBeVisible();
  await expectNoFault(page);
  await main.getByRole("checkbox", { name: /Copy: Vouchers|Copy: Gift cards/ }).check();
  await main.getByRole("checkbox", { name: "Copy: Low-balance alert" }).check();
  await main.getByRole("button", { name: "Copy to live" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("In live this changes at once")).toBeVisible();
  await expectNoFault(page);
  await dialog.getByRole("button", { name: "Copy to live" }).click();
  await expect(main.getByText("Copied: 2.")).toBeVisible();
  await expect(main.getByRole("checkbox", { name: "Copy: Low-balance alert" })).toHaveCount(0);
  await expect(main.getByRole("checkbox", { name: "Copy: Tigo" })).toBeVisible();
});

test("a phone shows the differences one below another", { tag: "@thorough" }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole("button", { name: "Copy to live" })).toBeVisible();
  await expectNoFault(page);
});
