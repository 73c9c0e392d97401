/** The owner's figures: the first page and the explorer, after weeks of trade. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, OWNER_PIN, test } from "../fixtures.ts";
import { signInAs } from "../support/look-shop.ts";
import { lookAt } from "../support/looks.ts";
import { type ShopProcess, startShop } from "../support/shop-process.ts";

const PROGRAM = "e2e/support/traded-shop-data.ts";

for (const language of ["fr", "ar"] as const) {
  test(`figures, ${language}`, async ({ page }) => {
    const data = await mkdtemp(join(tmpdir(), "tillgate-traded-"));
    await promisify(execFile)(process.execPath, [PROGRAM, data]);
    const shop = await startShop(data);
    try {
      await lookAround(page, shop, language);
    } finally {
      await shop.stop();
      await rm(shop.dataDir, { recursive: true, force: true });
      await rm(data, { recursive: true, force: true });
    }
  });
}

type Page = Parameters<typeof lookAt>[0];

async function lookAround(page: Page, shop: ShopProcess, language: string): Promise<void> {
  await page.addInitScript((chosen) => localStorage.setItem("tillgate.language", chosen), language);
  await page.goto(shop.url);
  await signInAs(page, "Olga", OWNER_PIN);
  const open = async (place: string) => {
    await page.goto(`${shop.url}/#/office/${place}`);
    await expect(page.locator("main a, main td").first()).toBeVisible();
  };
  await open("overview");
  await expect(page.locator("main figure")).toHaveCount(6);
  await lookAt(page, `office-overview-${language}`);
  await page.locator("main figure").first().scrollIntoViewIfNeeded();
  await lookAt(page, `office-overview-charts-${language}`, { isZoomed: false });
  await open("figures?days=last-30&by=brand");
  await lookAt(page, `office-figures-${language}`);
  await open("figures?view=sold&days=last-30");
  await lookAt(page, `office-figures-rows-${language}`, { isZoomed: false });
}
