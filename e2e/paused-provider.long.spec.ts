import { expect, test } from "./fixtures.ts";
import { failFiveTimes } from "./support/slow-provider.ts";

const SLOW = /^Tigo is slow since .+\. New sales may stay pending for a while\.$/;

test("a provider that becomes slow during a sale is reported at once, and the sale is queued and delivered", async ({
  counter,
  page,
  shop,
}) => {
  const notice = page.getByText(SLOW);
  await counter.sellFirstOffer("50251234569");
  await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
  await counter.type("50251234567");
  await expect(page.getByText("Tigo · detected")).toBeVisible();
  await expect(notice).toHaveCount(0);

  await test.step("the notice appears automatically, and the button does not move", async () => {
    const button = page.getByRole("button", { name: /Choose an amount/ });
    const before = await button.boundingBox();
    await failFiveTimes(page, shop);
    await expect(notice).toBeVisible();
    expect(await button.boundingBox()).toEqual(before);
  });

  await test.step("the till announces the wait in every step until the payment", async () => {
    await counter.press("Enter");
    await expect(counter.tile(/Q 5\b/).first()).toBeVisible();
    await expect(counter.panel.getByText(SLOW)).toBeVisible();
    await counter.press("1");
    await expect(counter.primary(/Take payment/)).toBeEnabled();
    await expect(counter.panel.getByText(SLOW)).toBeVisible();
    await counter.press("Enter");
  });

  await test.step("the sale waits, and must not be sold again", async () => {
    await expect(counter.panel.getByText("Pending").first()).toBeVisible();
    await expect(
      counter.panel.getByText(/^The sale is queued.+ Keep the money\. Don’t sell it again\./),
    ).toBeVisible();
  });

  await test.step("the idle counter shows that the carrier of the sold number is slow", async () => {
    await counter.press("Enter");
    const row = page.getByRole("main").getByRole("button", { name: /5123 4569/ });
    await expect(row).toContainText("Slow since");
  });

  await test.step("the pause ends: the notice disappears, and the sale is delivered", async () => {
    await counter.type("50251234568");
    await expect(notice).toBeVisible();
    await shop.admin("brands", "resume", "TIGO", "--env", "test");
    await expect(notice).toHaveCount(0);
    // The gateway checks every half minute for work that another process has queued.
    await expect(counter.panel.getByText("Delivered").first()).toBeVisible({ timeout: 60_000 });
  });
});
