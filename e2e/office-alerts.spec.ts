import { expect, OWNER_PIN, test } from "./fixtures.ts";
import { expectNoFault } from "./support/faultless.ts";

test("an empty wallet raises an alert, which leads to the remedy and resolves automatically", async ({
  counter,
  page,
  shop,
  signIn,
}) => {
  await counter.isReady();
  await page.keyboard.press("F9");
  await signIn.as("Rosa", OWNER_PIN);
  await counter.isReady();
  const setBalance = async (available: number) => {
    const data = { available };
    expect((await page.request.put(`${shop.url}/pos/wallet/test-balance`, { data })).ok()).toBe(
      true,
    );
  };
  const bell = page.getByRole("link", { name: /Alerts: \d+$/ });
  await setBalance(0);
  await expect(bell).toBeVisible({ timeout: 15_000 });
  await bell.click();
  await expect(page.getByRole("heading", { name: "Needs attention", exact: true })).toBeVisible();
  const open = page.getByRole("list", { name: "Needs attention" }).getByRole("listitem");
  const empty = open.filter({ hasText: "The wallet is empty" });
  await expect(open.first()).toContainText("The wallet is empty");
  await expect(empty).toHaveAttribute("data-level", "URGENT");
  await expect(empty).toContainText(/0\.00 available/);
  await expectNoFault(page);
  await empty.getByRole("button", { name: /^Add funds/ }).click();
  await expect(page.getByRole("region", { name: "Wallet balance" })).toContainText(/0\.00/);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${shop.url}/#/office/overview`);
  await empty.getByRole("button", { name: /^Silence until it changes/ }).click();
  await page.getByText("Silenced or solved recently").click();
  const past = page.getByRole("list", { name: "Silenced or solved recently" });
  await expect(past).toContainText("Silenced by Rosa until it changes");
  await expectNoFault(page);
  await setBalance(50_000);
  await expect(empty).toHaveCount(0, { timeout: 15_000 });
  await expect(past).toContainText(/The wallet is empty.*Fixed/);
});

test("an owner chooses the recipients of alerts by e-mail; a clerk has no bell", {
  tag: "@thorough",
}, async ({ counter, page, shop, signIn }) => {
  await counter.isReady();
  await expect(page.getByRole("link", { name: /Alerts/ })).toHaveCount(0);
  await page.keyboard.press("F9");
  await signIn.as("Rosa", OWNER_PIN);
  await counter.isReady();
  await page.goto(`${shop.url}/#/office/settings?view=mail`);
  await expect(page.getByText(/Nothing is sent until you set up a mail server/)).toBeVisible();
  await page.getByRole("button", { name: "Add a recipient" }).click();
  await page.getByLabel("E-mail address").fill("rosa");
  await page.getByRole("button", { name: "Save", exact: true }).last().click();
  await expect(page.getByLabel("E-mail address")).toHaveAttribute("aria-invalid", "true");
  await expectNoFault(page);
  await page.getByLabel("E-mail address").fill("rosa@example.com");
  await page.getByRole("checkbox", { name: "Webhooks" }).uncheck();
  await page.getByRole("button", { name: "Save", exact: true }).last().click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("E-mail address")).toHaveValue("rosa@example.com");
  await expect(page.getByRole("checkbox", { name: "Webhooks" })).not.toBeChecked();
  await expect(page.getByRole("checkbox", { name: "Disk" })).toBeChecked();
});
