import type { Page } from "@playwright/test";
import { CLERK, expect, test } from "./fixtures.ts";
import { Counter } from "./pages/counter.ts";
import { SignIn } from "./pages/sign-in.ts";
import { letIn, startNames, startNetworkShop } from "./support/network-shop.ts";
import { endShop, type ShopProcess } from "./support/shop-process.ts";

const NUMBER = "50251234567";

async function openCounter(page: Page): Promise<Counter> {
  await new SignIn(page).as(CLERK.name, CLERK.pin);
  const counter = new Counter(page);
  await counter.isReady();
  return counter;
}

async function takePayment(counter: Counter, number: string): Promise<void> {
  await counter.chooseTopup(number, "1");
  await counter.press("Enter");
}

async function countPurchases(shop: ShopProcess): Promise<unknown> {
  return (await shop.v1("/topups/purchases?_limit=10&_offset=0")).total;
}

test("a second till that loses its connection loses no sale, and sells nothing twice", async ({
  browser,
  shopData,
}) => {
  const { shop, tillUrl } = await startNetworkShop(shopData);
  const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: "en-GB" });
  const page = await context.newPage();
  await letIn(page, shop, tillUrl);
  const counter = await openCounter(page);

  await test.step("a payment taken without the network waits, and is sent once", async () => {
    await counter.chooseTopup(NUMBER, "1");
    await context.setOffline(true);
    await counter.press("Enter");
    await expect(counter.panel.getByText(/Paid. Waiting for the connection./)).toBeVisible();
    expect(await countPurchases(shop)).toBe(0);
    await context.setOffline(false);
    await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible({
      timeout: 60_000,
    });
    expect(await countPurchases(shop)).toBe(1);
  });

  await test.step("a lost response is requested again, and nothing is sold twice", async () => {
    let isLost = false;
    await page.route("**/pos/sales", async (route) => {
      if (isLost || route.request().method() !== "POST") return route.continue();
      isLost = true;
      await route.fetch();
      await route.abort("connectionreset");
    });
    await counter.press("Enter");
    await takePayment(counter, "50251234568");
    await expect(counter.work.getByText("+502 5123 4568")).toBeVisible();
    await expect(counter.panel.getByText("Delivered").first()).toBeVisible({ timeout: 60_000 });
    await expect(counter.panel.getByText(/Paid. Waiting for the connection./)).toHaveCount(0);
    expect(isLost).toBe(true);
    expect(await countPurchases(shop)).toBe(2);
  });
  await context.close();
  await endShop(shop);
});

test("a till finds the gateway by name after the gateway's address changed", {
  tag: "@thorough",
}, async ({ browser, shopData }) => {
  const { shop, tillPort } = await startNetworkShop(shopData, {
    TILLGATE_ALLOWED_HOSTS: "tienda.local",
  });
  const names = await startNames("127.0.0.1");
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    locale: "en-GB",
    proxy: { server: names.server },
  });
  const page = await context.newPage();
  await letIn(page, shop, `https://tienda.local:${tillPort}`);
  const counter = await openCounter(page);
  await counter.chooseTopup(NUMBER, "1");

  await shop.stop();
  await counter.press("Enter");
  await expect(counter.panel.getByText(/Paid. Waiting for the connection./)).toBeVisible();
  names.leadTo("127.0.0.2");
  await shop.start({ TILLGATE_TILL_LISTEN: `127.0.0.2:${tillPort}` });
  await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible({
    timeout: 60_000,
  });
  await expect(page.getByText("Reconnecting…")).toHaveCount(0);
  expect(await countPurchases(shop)).toBe(1);
  await context.close();
  await names.close();
  await endShop(shop);
});
