import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { Counter } from "./pages/counter.ts";

async function confirmFirst(counter: Counter, number: string, formatted: string): Promise<void> {
  await counter.type(number);
  await counter.press("Enter");
  await expect(counter.tile(/Q 5\b/)).toBeVisible();
  await counter.press("1");
  await expectConfirming(counter.page, formatted);
}

async function expectConfirming(page: Page, formatted: string): Promise<void> {
  const confirm = page.getByRole("region", { name: "Confirm with the customer" });
  await expect(confirm).toContainText(formatted);
}

test("each window keeps its own sale, and a new window resumes the sale of a closed window", async ({
  counter,
  context,
  page,
  shop,
}) => {
  await confirmFirst(counter, "50251234567", "+502 5123 4567");

  const opened = context.waitForEvent("page");
  await test.step("a window that starts as a copy has no sale", async () => {
    await page.evaluate(() => void window.open(location.href));
  });
  const copy = new Counter(await opened);
  await copy.isReady();
  await confirmFirst(copy, "50251234568", "+502 5123 4568");

  await test.step("both windows keep their sales after a reload", async () => {
    await page.reload();
    await copy.page.reload();
    await expectConfirming(page, "+502 5123 4567");
    await expectConfirming(copy.page, "+502 5123 4568");
  });

  const third = new Counter(await context.newPage());
  await test.step("a third window has no sale while the others are open, and takes the sale of a closed window", async () => {
    await third.page.goto(shop.url);
    await third.isReady();
    await page.close();
    await third.page.reload();
    await expectConfirming(third.page, "+502 5123 4567");
  });

  await test.step("each sale is sold once", async () => {
    for (const window of [third, copy]) {
      await window.page.bringToFront();
      await expect(window.primary(/Take payment/)).toBeEnabled();
      await window.press("Enter");
      await expect(window.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
    }
    const { total } = await shop.v1("/topups/purchases?_limit=10&_offset=0");
    expect(total).toBe(2);
  });
});

test("a real sale and a training sale stay separate", async ({ counter, page }) => {
  await confirmFirst(counter, "50251234567", "+502 5123 4567");
  const banner = page.getByRole("region", { name: "Training" });
  await counter.train();
  await expect(banner).toBeVisible();
  await confirmFirst(counter, "50251234568", "+502 5123 4568");
  await banner.getByRole("button").click();
  await expectConfirming(page, "+502 5123 4567");
});
