/** A telephone, a tablet either way, and large zooms: each sells, with a finger and nothing else. */
import type { Page } from "@playwright/test";
import { CLERK, expect, test } from "./fixtures.ts";
import { Touch } from "./pages/touch.ts";
import { findLayoutFaults } from "./support/layout-faults.ts";
import { tile } from "./support/look-shop.ts";

const SIZES = [
  { name: "a telephone", width: 390, height: 844 },
  { name: "a tablet held upright", width: 820, height: 1180 },
  { name: "a tablet that lies", width: 1024, height: 768 },
] as const;

async function expectFaultless(page: Page, step: string): Promise<void> {
  expect.soft(await page.evaluate(findLayoutFaults), step).toEqual([]);
}

for (const { name, ...viewport } of SIZES) {
  test.describe(name, () => {
    test.use({ hasTouch: true, viewport });

    test(`sells a top-up, a gift card and a bill on ${name}`, async ({ page, shop }) => {
      const touch = new Touch(page);
      const receipt = page.getByRole("complementary", { name: "Sale" });
      const pay = async (...words: readonly (string | RegExp)[]) => {
        await touch.expectToldWhatIsPaid(...words);
        await expectFaultless(page, `confirm ${words[0]}`);
        await touch.goOn(/Take payment/);
        await expect(
          receipt.locator("[data-outcome=DELIVERED][data-size=large]").first(),
        ).toBeInViewport();
        const print = receipt.getByRole("button", { name: "Print receipt" });
        await expect(print).toBeInViewport({ ratio: 1 });
        await expectFaultless(page, `receipt ${words[0]}`);
      };
      const next = receipt.getByRole("button").filter({ hasText: "Enter" });
      await touch.signIn(shop.url, CLERK.name, CLERK.pin);

      await test.step("a top-up", async () => {
        await touch.type("+50251234567");
        await expect(page.getByText("Tigo (detected)")).toBeVisible();
        await expectFaultless(page, "the number");
        await touch.goOn("Show offers");
        await expect(touch.main.getByRole("button", { name: /Q 25\b/ })).toBeVisible();
        await expectFaultless(page, "the offers");
        await touch.pick(/Q 25\b/);
        await pay("+502 5123 4567", /Tigo 25/, "Q 26.35");
      });

      await test.step("a gift card", async () => {
        await touch.open("Gift cards");
        await expect(touch.main.getByRole("button", { name: /PedidosYa/ })).toBeVisible();
        await expectFaultless(page, "the brands");
        await touch.pick(/PedidosYa/);
        await expect(page.getByRole("heading", { name: "What would they like?" })).toBeVisible();
        await expectFaultless(page, "the cards");
        await tile(page, 1).tap();
        await pay("PedidosYa", /Q\s\d/);
      });

      await test.step("a bill", async () => {
        await touch.open("Bill");
        await touch.pick(/EEGSA/);
        // There are accounts with letters: the device brings its own keyboard.
        await page.getByRole("textbox", { name: "Account number" }).tap();
        await page.keyboard.type("30001234567");
        await expectFaultless(page, "the account");
        await next.tap();
        await expect(page.getByText("Amount due")).toBeVisible();
        await expectFaultless(page, "what is due");
        await next.tap();
        await pay("30001234567", /Q\s\d/);
      });

      await test.step("today's sales, and one of them", async () => {
        await touch.open("Today");
        await page
          .getByRole("list")
          .getByRole("button", { name: /5123 4567/ })
          .tap();
        await expect(page.getByRole("complementary").getByText("+502 5123 4567")).toBeVisible();
        await expectFaultless(page, "today");
      });
    });
  });
}

/** 200 % and 400 % of a window of 1280 × 800, and a telephone of the smallest kind. */
for (const [width, height] of [
  [640, 400],
  [320, 568],
  [320, 256],
] as const) {
  test(`the button that takes money never stands without what it sells, ${width} × ${height}`, async ({
    counter,
    page,
  }) => {
    await page.setViewportSize({ width, height });
    const theme = page.getByRole("button", { name: /^Appearance/ });
    await expect(theme).toBeInViewport({ ratio: 1 });
    await counter.chooseTopup("50251234567", "5");
    const touch = new Touch(page);
    await touch.pay.scrollIntoViewIfNeeded();
    await touch.expectToldWhatIsPaid("+502 5123 4567", /Tigo 25/, "Q 26.35");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });
}
