import type { Page } from "@playwright/test";
import { expect, OWNER_PIN, setUp, test } from "../fixtures.ts";
import { expectNoFault } from "../support/faultless.ts";
import { findLayoutFaults } from "../support/layout-faults.ts";
import { enter } from "../support/look-shop.ts";

const PHONE = { width: 390, height: 844 };

for (const language of ["en", "ar"] as const) {
  test(`the provider's form on a phone, ${language}`, async ({ page, freshShop }) => {
    await setUp(freshShop, { name: "Tienda Sol", language });
    await enter(page, freshShop);
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    await page.goto(`${freshShop.url}/#/office/live?view=gateway`);
    await page.setViewportSize(PHONE);
    const form = page.locator("main form").first();
    const [address, key, ownNetwork] = [0, 1, 2].map((nth) => form.locator("input").nth(nth));
    const submit = form.locator("button[type=submit]");
    const connect = async () => {
      await submit.click();
      const pin = page.getByRole("dialog").locator("input");
      await expect(pin).toBeFocused();
      await pin.fill(OWNER_PIN);
      await pin.press("Enter");
      await expect(pin).toHaveCount(0);
    };
    const look = (name: string) => lookOnPhone(page, `provider-form-${name}-${language}`);
    await expect(submit).toBeDisabled();
    await look("empty");

    await address!.fill("gateway.example");
    await key!.fill("live_abc");
    await connect();
    await expect(address!).toHaveAttribute("aria-invalid", "true");
    await look("address");

    // Typed by key: the error's text disappears with the first key.
    await address!.press("Control+a");
    await address!.pressSequentially(freshShop.url);
    await expect(address!).not.toHaveAttribute("aria-invalid", "true");
    await connect();
    await expect(address!).toHaveAttribute("aria-invalid", "true");
    await look("own-network");

    await ownNetwork!.check();
    await connect();
    await expect(key!).toHaveAttribute("aria-invalid", "true");
    await expect(address!).not.toHaveAttribute("aria-invalid", "true");
    await look("key");
    await form.locator("button[type=button]").last().click();
    await expect(form.locator("[data-outcome=BAD]")).toBeVisible();
    await look("tested");
  });
}

async function lookOnPhone(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: `artifacts/screens/${name}.png`, fullPage: true });
  expect.soft(await page.evaluate(findLayoutFaults), name).toEqual([]);
  await expectNoFault(page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(wide).toBeLessThanOrEqual(0);
}
