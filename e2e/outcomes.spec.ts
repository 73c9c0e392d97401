import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { countedKeys } from "./support/counted-keys.ts";

test("a failed sale shows the reason of the failure and the amount to refund", async ({
  counter,
}) => {
  await counter.sellFirstOffer("50251239001");
  await expect(counter.panel.getByRole("heading", { name: "Not delivered" })).toBeVisible();
  await expect(counter.panel.getByText(/doesn’t recognize this number/)).toBeVisible();
  await expect(counter.panel.getByText("Refund due: Q 5.43")).toBeVisible();
  await expect(counter.panel.getByText(/wallet wasn’t charged/).first()).toBeVisible();
});

test("a clerk corrects the number of a failed sale, and sells it again with the same payment", async ({
  counter,
  page,
  shop,
}) => {
  await counter.sellFirstOffer("50251239001");
  const corrected = page.getByLabel("Corrected number");
  await expect(page.getByRole("button", { name: /^Send Tigo .+ again$/ })).toBeDisabled();
  await corrected.fill("+502 5123 4567");
  await expect(page.getByRole("button", { name: /^Send Tigo .+ again$/ })).toBeEnabled();
  await corrected.press("Enter");
  await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
  await expect(counter.panel.getByText("Sale 2", { exact: true })).toBeVisible();
  const { list } = await shop.v1("/topups/purchases?_limit=10&_offset=0");
  expect(list).toHaveLength(2);
});

function listedAsRecent(page: Page, number: string) {
  return page.waitForResponse(
    async (answer) =>
      answer.url().endsWith("/pos/recents") &&
      (await answer.text().catch(() => "")).includes(number),
  );
}

test("a failed sale is sold again with Enter", { tag: "@thorough" }, async ({ counter, page }) => {
  const listed = listedAsRecent(page, "50251239001");
  await counter.sellFirstOffer("50251239001");
  await expect(counter.panel.getByRole("heading", { name: "Not delivered" })).toBeVisible();
  await listed;
  counter.keys = 0;
  await counter.press("ArrowDown", "Enter");
  await expect(page.getByText(/^Not delivered \(.+\), refunded\.$/)).toBeVisible();
  await counter.press("Enter");
  expect(counter.keys).toBe(countedKeys("A repeat sale to a number sold to before"));
  await expect(counter.panel.getByText("Sale 2", { exact: true })).toBeVisible();
});

test("a sale that is still being sent shows its deadline and a warning against a second sale", {
  tag: "@thorough",
}, async ({ counter, page, shop }) => {
  const listed = listedAsRecent(page, "50251239004");
  await counter.sellFirstOffer("50251239004");
  await expect(counter.panel.getByRole("heading", { name: "Pending" })).toBeVisible();
  await listed;
  await expect(
    counter.panel.getByText(
      /Keep the money\. Don’t sell it again: it may still arrive\. Final answer by .+ tomorrow/,
    ),
  ).toBeVisible();
  await expect(page.getByText(/error/i)).toHaveCount(0);

  await test.step("Enter does not sell to that number again", async () => {
    await counter.press("ArrowDown", "Enter");
    await expect(page.getByRole("alert")).toContainText(
      "Sale 1 to this number is still pending. Keep the money. Don’t sell it again.",
    );
    await expect(counter.primary(/Sell again anyway/)).toBeVisible();
    await counter.press("Enter", "Enter", "Escape");
    const purchases = await shop.v1("/topups/purchases?_limit=10&_offset=0");
    expect(purchases.total).toBe(1);
  });

  await test.step("the next customer can be served during the wait", async () => {
    await counter.sellFirstOffer("50251234567");
    await expect(counter.panel.getByText("Sale 2", { exact: true })).toBeVisible();
    await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
  });
});

test("items that exceed the wallet's balance are marked, and cannot be paid", {
  tag: "@thorough",
}, async ({ counter, page, shop }) => {
  const setWallet = (amount: number) =>
    shop.admin("wallet", "set", "--env", "test", "--amount", String(amount));
  const tile = page.locator("#offer-tiles button").first();
  const short = page.getByText(/wallet can pay for sales up to about Q\s?7/);

  await test.step("the header warns, and a clerk sees no balance", async () => {
    await expect(page.getByText("Wallet low")).toHaveCount(0);
    await setWallet(100);
    await expect(page.getByText("Wallet low")).toBeVisible();
    await expect(page.getByLabel("Wallet", { exact: true })).toHaveCount(0);
    await setWallet(0);
    await expect(page.getByText("Wallet empty")).toBeVisible();
  });

  await test.step("a tile is marked, and its key does not continue", async () => {
    await counter.type("50251234567");
    await counter.press("Enter");
    await expect(tile).toContainText("Wallet too low");
    await expect(page.getByText("The shop’s wallet is empty.")).toBeVisible();
    await counter.press("1");
    await expect(counter.primary(/The wallet is too low/)).toBeDisabled();
    await tile.click({ force: true });
    await counter.press("Enter");
    await expect(page.getByRole("heading", { name: "Confirm with the customer" })).toHaveCount(0);
  });

  await test.step("the mark disappears after the wallet is recharged", async () => {
    await setWallet(100);
    await expect(tile).not.toContainText("Wallet too low");
    await counter.press("1");
    await expect(counter.primary(/Take payment/)).toBeEnabled();
  });

  await test.step("lines that exceed the balance together are stopped", async () => {
    await counter.press("+");
    await counter.type("50251234568");
    await counter.press("Enter", "1");
    await expect(short).toBeVisible();
    await expect(counter.primary(/The wallet is too low/)).toBeDisabled();
    await counter.press("Enter");
    await expect(counter.panel.getByText("Delivered")).toHaveCount(0);
    await setWallet(100_000);
    await expect(short).toHaveCount(0);
    await counter.press("Enter");
    await expect(counter.panel.getByText("Delivered").first()).toBeVisible();
  });
});

test("a sale that is paid while the gateway is down is sent once when the gateway is back", async ({
  counter,
  shop,
}) => {
  await counter.chooseTopup("50251234567", "1");
  await shop.kill();
  await counter.press("Enter");
  await expect(counter.panel.getByText(/Paid. Waiting for the connection./)).toBeVisible();
  await shop.start();
  await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible({
    timeout: 60_000,
  });
  const purchases = await shop.v1("/topups/purchases?_limit=10&_offset=0");
  expect(purchases.total).toBe(1);
});
