import type { Locator } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { countedKeys } from "./support/counted-keys.ts";

async function expectAddition(of: Locator): Promise<void> {
  const amount = async (name: string) => {
    const row = of.locator("dl > div").filter({ has: of.page().getByText(name, { exact: true }) });
    const text = await row.first().locator("dd").innerText();
    return Math.round(Number(text.replaceAll(/[^\d.]/g, "")) * 100);
  };
  await expect(of.getByText("Amount due", { exact: true })).toBeVisible();
  const [due, fee] = [await amount("Amount due"), await amount("Service fee")];
  expect(due).toBeGreaterThan(0);
  expect(due + fee).toBe(await amount("Total"));
}

test("Ana takes payment for an electricity bill: account, amount due, cash", {
  tag: "@core",
}, async ({ counter, page, shop }) => {
  await test.step("Ana searches the billers of the shop's country with letters", async () => {
    counter.keys = 0;
    await counter.press("F4");
    await expect(page.getByRole("heading", { name: "Choose a biller" })).toBeVisible();
    await counter.type("eeg");
    await expect(counter.primary(/Continue with EEGSA/)).toBeEnabled();
    await counter.press("Enter");
  });

  await test.step("Ana types the account, which has the biller's label", async () => {
    await expect(page.getByRole("textbox", { name: "Account number" })).toBeFocused();
    const cart = page.getByRole("complementary", { name: "Current sale" });
    await expect(cart).toContainText(/EEGSA · Electricity/);
    await expect(cart).toContainText("Missing: Account number");
    await page.keyboard.type("30001234567");
    await expect(counter.primary("Show amount due")).toBeEnabled();
    await counter.press("Enter");
  });

  await test.step("the amount due is shown, and no other amount is accepted", async () => {
    await expect(page.getByText("Amount due")).toBeVisible();
    await expectAddition(page.getByRole("main"));
    await expect(page.getByText("This biller only accepts the exact amount.")).toBeVisible();
    await expect(counter.primary(/Continue with Q /)).toBeEnabled();
    await counter.press("Enter");
  });

  await test.step("the account is shown in large type before the payment", async () => {
    const confirm = page.getByRole("region", { name: "Confirm with the customer" });
    await expect(confirm.getByText("30001234567").first()).toBeVisible();
    await expect(confirm.getByText("Bill payments can’t be reversed")).toBeVisible();
    await expect(confirm.getByText("Service", { exact: true })).toBeVisible();
    await expect(confirm.getByText("Electricity").first()).toBeVisible();
    await expectAddition(confirm);
    await expect(counter.primary(/Take payment Q /)).toBeEnabled();
    await counter.press("Enter");
    // The counted keys exclude the digits of the account.
    expect(counter.keys).toBe(countedKeys("Bill, among bills alone"));
    await expect(counter.panel.getByRole("heading", { name: "Paid" })).toBeVisible();
    await expectAddition(counter.panel);
  });

  const { list } = await shop.v1("/billpay/purchases?_limit=10&_offset=0");
  expect(list).toMatchObject([
    { status: "DONE", fields: [{ key: "accountNumber", value: "30001234567" }] },
  ]);
});
