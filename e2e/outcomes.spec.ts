/** Three outcomes, not two: delivered, not delivered, still being sent. */
import { expect, test } from "./fixtures.ts";

test("not delivered: why, and how much to give back", async ({ counter, page }) => {
  await counter.sellFirstOffer("50251239001");
  await expect(counter.panel.getByText("Not delivered", { exact: true })).toBeVisible();
  await expect(counter.panel.getByText(/does not know this number/)).toBeVisible();
  await expect(counter.panel.getByText("Give back Q 5.43")).toBeVisible();
  await expect(counter.panel.getByText(/wallet was not charged/)).toBeVisible();
  await expect(page.getByLabel("Wallet")).toContainText("1,000.00");
});

test("not delivered: the customer gets it again with Enter", async ({ counter, page }) => {
  await counter.sellFirstOffer("50251239001");
  await expect(counter.panel.getByText("Not delivered", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: /5123 9001/ })).toContainText("Not delivered");
  counter.keys = 0;
  await counter.press("ArrowDown", "Enter");
  await expect(page.getByText(/^Not delivered \(.+\), money given back\.$/)).toBeVisible();
  await counter.press("Enter");
  expect(counter.keys).toBe(3);
  await expect(counter.panel.getByText("Sale 2", { exact: true })).toBeVisible();
});

test("still being sent: the clerk is told not to sell it again, and until when", async ({
  counter,
  page,
  shop,
}) => {
  await counter.sellFirstOffer("50251239004");
  await expect(counter.panel.getByText("Still being sent")).toBeVisible();
  await expect(
    counter.panel.getByText(
      /Do not sell it again\. Keep the money\. We keep trying until .+ tomorrow/,
    ),
  ).toBeVisible();
  await expect(page.getByText(/error/i)).toHaveCount(0);

  await test.step("Enter does not sell it to that number again", async () => {
    await expect(page.getByRole("main").getByRole("button", { name: /5123 9004/ })).toBeVisible();
    await counter.press("ArrowDown", "Enter");
    await expect(page.getByRole("alert")).toContainText(
      "A top-up to this number is still being sent (sale 1). Keep the money; do not sell it again.",
    );
    await expect(counter.primary(/Sell it a second time anyway/)).toBeVisible();
    await counter.press("Enter", "Enter", "Escape");
    const purchases = await shop.v1("/topups/purchases?_limit=10&_offset=0");
    expect(purchases.total).toBe(1);
  });

  await test.step("meanwhile the next customer is served", async () => {
    await counter.sellFirstOffer("50251234567");
    await expect(counter.panel.getByText("Sale 2", { exact: true })).toBeVisible();
    await expect(counter.panel.getByText("Delivered")).toBeVisible();
  });
});

test("a wallet that is too low refuses before money is taken, with the figures", async ({
  counter,
  shop,
}) => {
  await shop.admin("wallet", "set", "--env", "test", "--amount", "50");
  await expect(counter.page.getByLabel("Wallet")).toContainText("0.50");
  await counter.sellFirstOffer("50251234567");
  await expect(
    counter.page.getByText(/wallet is short by .*0\.1\d\. It was not charged/),
  ).toBeVisible();
  await expect(counter.page.getByText(/sell up to .*0\.50/)).toBeVisible();
});

test("payment is taken while the gateway is down: it is sent once when it is back", async ({
  counter,
  shop,
}) => {
  await counter.chooseTopup("50251234567", "1");
  await shop.kill();
  await counter.press("Enter");
  await counter.press("Enter");
  await expect(counter.panel.getByText(/Paid, waiting for the till/)).toBeVisible();
  await shop.start();
  await expect(counter.panel.getByText("Delivered")).toBeVisible({ timeout: 60_000 });
  const purchases = await shop.v1("/topups/purchases?_limit=10&_offset=0");
  expect(purchases.total).toBe(1);
});
