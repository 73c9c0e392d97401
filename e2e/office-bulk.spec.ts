import { readFile } from "node:fs/promises";
import { expect, OWNER_PIN, test } from "./fixtures.ts";
import { typeOwnPin } from "./pages/sign-in.ts";
import { expectNoFault } from "./support/faultless.ts";

const WRONG = [
  "offer,recipient,note",
  "TIGO_GT_TOPUP_25,5.02E+10,Ana",
  "TIGO_GT_TOPUP_25,+50251000002,Beto",
  "CAKE,+50251000003,Carla",
].join("\n");
const RIGHT = WRONG.replace("5.02E+10", "+50251000001").replace("CAKE", "TIGO_GT_TOPUP_25");

test("a file with errors is corrected, confirmed once and sold, and its results are downloaded", async ({
  counter,
  page,
  shop,
  signIn,
}) => {
  await counter.isReady();
  await page.keyboard.press("F9");
  await signIn.as("Rosa", OWNER_PIN);
  await counter.isReady();
  await page.goto(`${shop.url}/#/office/bulk`);
  const table = page.getByRole("textbox", { name: "Table" });
  await table.fill(WRONG);
  await expectNoFault(page);
  await page.getByRole("button", { name: "Check the table" }).click();

  await expect(page.getByText(/The spreadsheet rounded this number: 5.02E\+10/)).toBeVisible();
  await expect(page.getByText(/There is no product CAKE/)).toBeVisible();
  await expectNoFault(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoFault(page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.getByRole("button", { name: "Another table" }).click();
  await expect(table).toHaveValue(WRONG);
  await table.fill(RIGHT);
  await page.getByRole("button", { name: "Check the table" }).click();
  const sell = page.getByRole("button", { name: /Sell 3 for/ });
  await expect(sell).toBeEnabled();
  await sell.click();
  await typeOwnPin(page, OWNER_PIN);

  await expect(page.getByText("Finished", { exact: true })).toBeVisible({ timeout: 30_000 });
  await expect(page.locator("tr [data-outcome=DELIVERED]")).toHaveCount(3, { timeout: 30_000 });
  await expectNoFault(page);
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download results" }).click();
  const text = await readFile(await (await saved).path(), "utf8");
  expect(text.match(/"DELIVERED"/g)).toHaveLength(3);
});
