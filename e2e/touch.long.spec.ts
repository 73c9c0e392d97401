import { CLERK, expect, test } from "./fixtures.ts";
import { account } from "./pages/sign-in.ts";
import { Touch } from "./pages/touch.ts";

/** 200 % and 400 % zoom of a window of 1280 × 800, and the smallest phone. */
for (const [width, height] of [
  [640, 400],
  [320, 568],
  [320, 256],
] as const) {
  test(`the payment button is never visible without the sold items, ${width} × ${height}`, async ({
    counter,
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await expect(account(page, CLERK.name)).toBeInViewport({ ratio: 1 });
    await counter.chooseTopup("50251234567", "5");
    const touch = new Touch(page);
    await touch.pay.scrollIntoViewIfNeeded();
    await touch.expectToldWhatIsPaid("+502 5123 4567", /Tigo 25/, "Q 26.35");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });
}
