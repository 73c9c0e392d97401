import type { Page } from "@playwright/test";
import { CLERK, expect, OWNER_PIN, test } from "./fixtures.ts";
import { waitForFades } from "./support/fades.ts";

test("a sale interrupted by a power cut is made exactly once, and shown after the restart", async ({
  counter,
  shop,
  page,
}) => {
  await counter.chooseTopup("50251239007", "1");
  await counter.press("Enter");
  await expect(counter.panel.getByText("Sending…").first()).toBeVisible();

  await shop.kill();
  await expect(page.getByText("Reconnecting…", { exact: true })).toBeVisible();
  await shop.start();
  await expect(page.getByText("Reconnecting…")).toHaveCount(0);
  await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible({
    timeout: 60_000,
  });

  const purchases = await shop.v1("/topups/purchases?_limit=10&_offset=0");
  expect(purchases.total).toBe(1);
});

test("tendered cash and change are shown before the gateway answers, and do not move", async ({
  counter,
  page,
  shop,
}) => {
  const { panel } = counter;
  await counter.chooseTopup("50251234567", "1");
  await counter.type("20");
  await expect(panel.getByText("Q 14.57", { exact: true })).toBeVisible();
  const change = counter.work.getByText("Q 14.57", { exact: true });
  await shop.kill();
  await counter.press("Enter");
  await expect(panel.getByText("Paid. Waiting for the connection.")).toBeVisible();
  await expect(panel.getByText("Q 20.00", { exact: true })).toBeVisible();
  await expect(panel.getByText("Q 5.43", { exact: true })).toHaveCount(3);
  await expect(change).toBeVisible();
  await waitForFades(page);
  const place = await change.boundingBox();
  // At this height the clerk can read the amount from the cash drawer.
  expect(place?.height).toBeGreaterThan(24);

  await shop.start();
  await expect(panel.getByRole("heading", { name: "Delivered" })).toBeVisible({ timeout: 60_000 });
  await expect(panel.getByText("Q 20.00", { exact: true })).toBeVisible();
  await waitForFades(page);
  const after = await change.boundingBox();
  expect(Math.abs((after?.y ?? 0) - (place?.y ?? 0))).toBeLessThan(0.5);
  expect({ ...after, y: 0 }).toEqual({ ...place, y: 0 });
});

test("a paid sale that is refused afterwards is settled with Alt+G, and never hides a newer sale", async ({
  counter,
  shop,
}) => {
  await counter.chooseTopup("50251234567", "2");
  await counter.type("20");
  await shop.kill();
  await counter.press("Enter");
  await expect(counter.panel.getByText("Paid. Waiting for the connection.")).toBeVisible();

  // Enough money for the next sale, which costs half of this amount.
  await shop.admin("wallet", "set", "--env", "test", "--amount", "80");
  await shop.start();
  await expect(counter.panel.getByText("Not sold")).toBeVisible({ timeout: 60_000 });
  const settle = counter.panel.getByRole("button", { name: /^Refund Q 10\.47/ });
  await expect(settle).toBeVisible();

  const sold = counter.panel.getByRole("heading", { name: "Sale 1" });
  await counter.sellFirstOffer("50251234568");
  await expect(sold).toBeVisible();
  // The main area shows the newer result. The panel shows the refused sale until it is refunded.
  const refused = counter.panel.getByRole("button", { name: /Not sold/ });
  await counter.press("Enter");
  await expect(refused).toBeVisible();
  await counter.press("F6", "F1");
  await expect(refused).toBeVisible();

  await refused.click();
  await expect(settle).toBeVisible();
  await counter.press("Alt+g");
  await expect(counter.panel.getByText("Not sold")).toHaveCount(0);
  await counter.press("F6", "F1");
  await expect(counter.panel.getByRole("button", { name: /Last sale.*5123 4568/ })).toBeVisible();
  await expect(counter.panel.getByText("Not sold")).toHaveCount(0);
});

test("a sale that waits for the gateway is sent while the clerk uses another screen", async ({
  counter,
  page,
  shop,
}) => {
  await counter.chooseTopup("50251234567", "1");
  await todayIsFetched(page);
  await shop.kill();
  await counter.press("Enter");
  await expect(counter.panel.getByText(/Paid. Waiting for the connection./)).toBeVisible();
  await counter.press("F6");
  await expect(counter.number).toHaveCount(0);
  await shop.start();
  await expect(page.getByText("Reconnecting…")).toHaveCount(0);
  await expect(page.getByRole("main").getByText("Delivered").first()).toBeVisible({
    timeout: 60_000,
  });
});

test("a paid sale waits for its seller, and is never sold in the name of another person", async ({
  counter,
  page,
  shop,
  signIn,
}) => {
  await counter.chooseTopup("50251234567", "1");
  await todayIsFetched(page);
  await shop.kill();
  await counter.press("Enter");
  await expect(counter.panel.getByText(/Paid. Waiting for the connection./)).toBeVisible();

  await test.step("Ana leaves; the lock screen and Rosa are notified", async () => {
    await counter.press("F9");
    await shop.start();
    await expect(page.getByRole("button", { name: /Ana.*Paid sale waiting/ })).toBeVisible();
    await signIn.as("Rosa", OWNER_PIN);
    await counter.isReady();
    await expect(
      page.getByText(/Ana took payment for a sale that has not been sent yet/),
    ).toBeVisible();
    await counter.press("F6");
    await expect(page.getByText("No sales yet today")).toBeVisible();
  });

  await test.step("Ana returns, and the sale is sent in her name", async () => {
    await counter.press("F9");
    await signIn.as(CLERK.name, CLERK.pin);
    await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible({
      timeout: 60_000,
    });
    const answer = await page.request.get(`${shop.url}/pos/sales?limit=1&offset=0`);
    expect((await answer.json()).list).toMatchObject([{ staff: { name: CLERK.name } }]);
  });
});

/**
 * Waits until the script of Sales is loaded. If the gateway stops during the load, the script stays
 * missing until a reload.
 */
async function todayIsFetched(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => /today-screen-.*\.js/.test(name)),
  );
}
