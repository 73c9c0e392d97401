import { CLERK, expect, test } from "./fixtures.ts";

test("the lock screen reports an unreachable gateway", async ({ counter, shop, page, signIn }) => {
  await shop.kill();
  await page.keyboard.press("F9");
  await expect(
    page.getByText(/Can’t reach Tillgate\. Sign-in returns when the connection does\./),
  ).toBeVisible();
  await shop.start();
  await expect(page.getByText(/Can’t reach Tillgate/)).toHaveCount(0);
  await signIn.as(CLERK.name, CLERK.pin);
  await counter.isReady();
});
