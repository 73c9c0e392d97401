import type { Locator, Page } from "@playwright/test";
import { CLERK, expect, test } from "./fixtures.ts";
import { account } from "./pages/sign-in.ts";
import { Touch } from "./pages/touch.ts";
import { findLayoutFaults } from "./support/layout-faults.ts";
import { tile } from "./support/look-shop.ts";

/** A number to which the provider never delivers. */
const REFUSED = "+50251239001";

async function expectFaultless(page: Page, step: string): Promise<void> {
  expect.soft(await page.evaluate(findLayoutFaults), step).toEqual([]);
}

async function expectAboveKeyboard(page: Page, ...wanted: readonly Locator[]): Promise<void> {
  const keyboard = page.locator("[data-screen-keyboard]");
  await expect(keyboard).toBeVisible();
  const top = await keyboard.evaluate((element) => element.getBoundingClientRect().top);
  for (const one of wanted) {
    await expect(one).toBeInViewport({ ratio: 1 });
    const bottom = await one.evaluate((element) => element.getBoundingClientRect().bottom);
    expect(bottom).toBeLessThanOrEqual(top);
  }
}

async function chooseTopup(touch: Touch, number: string): Promise<void> {
  await touch.type(number);
  await expect(touch.page.getByText("Tigo · detected")).toBeVisible();
  await touch.next.tap();
  await tile(touch.page, 1).tap();
  await expect(touch.pay).toBeEnabled();
}

async function returnMoney(touch: Touch): Promise<void> {
  await chooseTopup(touch, REFUSED);
  await touch.pay.tap();
  const panel = touch.page.locator("[data-counter]");
  await expect(panel.getByText("Cash to hand over")).toBeInViewport();
  const given = panel.getByRole("button", { name: /^Refund Q 5\.43/ });
  await expectFaultless(touch.page, "what is owed");
  await given.tap();
  await expect(given).toHaveCount(0);
  await touch.next.tap();
}

async function holdAndTakeUp(touch: Touch): Promise<void> {
  const { page } = touch;
  await chooseTopup(touch, "+50251234567");
  await page.getByRole("button", { name: "Hold", exact: true }).tap();
  const name = page.getByRole("textbox", { name: "Name for this sale (optional)" });
  await expect(name).toHaveValue("+502 5123 4567");
  await name.tap();
  await expectAboveKeyboard(page, name);
  await expectFaultless(page, "the name of a held sale");
  await touch.next.tap();
  await page.getByRole("button", { name: /on hold/ }).tap();
  await expect(tile(page, 1)).toContainText("5123 4567");
  await expectFaultless(page, "the held sales");
  await tile(page, 1).tap();
  await touch.pay.tap();
  const panel = page.locator("[data-counter]");
  await expect(panel.getByText("Delivered", { exact: true }).first()).toBeInViewport();
  expect(await motionOfNews(page, "no-preference")).not.toBe("none");
  expect(await motionOfNews(page, "reduce")).toBe("none");
}

async function motionOfNews(page: Page, reducedMotion: "reduce" | "no-preference") {
  await page.emulateMedia({ reducedMotion });
  return page
    .locator("[data-state=DELIVERED] [aria-hidden]")
    .first()
    .evaluate((sign) => getComputedStyle(sign).animationName);
}

async function readToday(touch: Touch): Promise<void> {
  const { page } = touch;
  await touch.goTo("Sales");
  await page.getByRole("button", { name: /5123 9001/ }).tap();
  const details = page.getByRole("complementary", { name: "Details of the sale" });
  await expect(details.getByText("Refunded: Q 5.43")).toBeInViewport();
  await expectFaultless(page, "Sales");
}

async function find(touch: Touch): Promise<void> {
  const { page } = touch;
  await page.getByRole("button", { name: "Search", exact: true }).tap();
  const field = page.getByPlaceholder(/^Search for anything/);
  await touch.write(field, "4567");
  const found = page.getByRole("option", { name: /5123 4567/ }).first();
  await expectAboveKeyboard(page, field, found);
  await expectFaultless(page, "Find");
  await found.tap();
  const details = page.getByRole("complementary", { name: "Details of the sale" });
  await expect(details.getByText("+502 5123 4567").first()).toBeInViewport();
}

async function closeShift(touch: Touch): Promise<void> {
  const { page } = touch;
  await touch.goTo("Shift");
  await expectFaultless(page, "the shift");
  await page.getByRole("button", { name: "Close shift" }).tap();
  const counted = page.getByRole("textbox", { name: /counted|drawer/i });
  await touch.write(counted, "5.43");
  const close = page.getByRole("button", { name: "Close with Q 5.43 counted" });
  await expectAboveKeyboard(page, counted, close);
  await expectFaultless(page, "the count");
  await close.tap();
  await expect(page.getByText("Z report 1")).toBeInViewport();
}

for (const [device, width, height] of [
  ["a tablet", 1024, 768],
  ["a telephone", 390, 844],
] as const) {
  test.describe(`${device}, ${width} × ${height}`, () => {
    test.use({ hasTouch: true, viewport: { width, height } });

    test("a clerk gives money back, holds and finds a sale, counts the drawer and locks the till", async ({
      page,
      shop,
    }) => {
      const touch = new Touch(page);
      await touch.signIn(shop.url, CLERK.name, CLERK.pin);
      await test.step("the clerk refunds an undelivered line", () => returnMoney(touch));
      await test.step("the clerk holds a sale and resumes it", () => holdAndTakeUp(touch));
      await test.step("Sales shows both sales", () => readToday(touch));
      await test.step("the search finds a sale by its number", () => find(touch));
      await test.step("the clerk locks and opens the till", async () => {
        await account(page, CLERK.name).tap();
        await expectFaultless(page, "the account");
        await page
          .getByRole("dialog", { name: "Account" })
          .getByRole("button", { name: /^Lock/ })
          .tap();
        await expectFaultless(page, "the lock screen");
        await page.getByRole("button", { name: CLERK.name }).tap();
        await expectFaultless(page, "the PIN");
        await touch.type(CLERK.pin);
        await page.getByRole("button", { name: "Sign in" }).tap();
        await expect(touch.next).toBeVisible();
      });
      await test.step("the clerk counts the drawer and closes the shift", () => closeShift(touch));
      await expect(page.locator("[data-key]").filter({ visible: true })).toHaveCount(0);
    });
  });
}
