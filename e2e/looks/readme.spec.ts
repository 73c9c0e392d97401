import { expect, OWNER_PIN, test } from "../fixtures.ts";
import { confirm, openShop, press, signInAs, tile, typeNumber } from "../support/look-shop.ts";
import { takePicture } from "../support/pictures.ts";
import { test as paperTest } from "../support/printed-receipt.ts";
import { aLine, aReceipt } from "../support/receipts.ts";
import { inTradedShop } from "../support/traded-shop.ts";

test("pictures of a shop's morning for the README", async ({ page, freshShop }) => {
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await openShop(page, freshShop, { language: "en" });
  const outcome = (name: string) => page.locator(`div[data-outcome=${name}]`).first();
  await typeNumber(page, "50251239002");
  await press(page, "2");
  await expect(confirm(page)).toBeVisible();
  await press(page, "Enter");
  await expect(outcome("NOT_DELIVERED")).toBeVisible();
  await press(page, "F3");
  await expect(tile(page, 1)).toBeVisible();
  await page.keyboard.type("spa");
  await expect(tile(page, 1)).toHaveText(/Spain/);
  await press(page, "Enter");
  await expect(tile(page, 1)).toHaveText(/1 GB/);
  await press(page, "1");
  await expect(page.getByText("*#06#")).toBeVisible();
  await press(page, "Enter");
  await expect(confirm(page)).toBeVisible();
  await press(page, "Enter");
  await expect(outcome("DELIVERED")).toBeVisible();

  await press(page, "F1");
  await typeNumber(page, "50251234567");
  await press(page, "6");
  await expect(confirm(page)).toBeVisible();
  await press(page, "F2");
  await expect(page.getByRole("button", { name: /Cemaco/ })).toBeVisible();
  await page.keyboard.type("cem");
  await press(page, "Enter");
  await expect(tile(page, 1)).toHaveText(/50/);
  await press(page, "1");
  await expect(confirm(page)).toBeVisible();
  await page.keyboard.type("200");
  await takePicture(page, "counter-confirm");
  await press(page, "Enter");
  await expect(outcome("DELIVERED")).toBeVisible();
  await expect(page.getByText("Give change").first()).toBeVisible();
  await takePicture(page, "counter-delivered");
  await press(page, "F1");

  await typeNumber(page, "50251239004");
  await press(page, "5");
  await expect(confirm(page)).toBeVisible();
  await press(page, "Enter");
  await expect(outcome("STILL_SENDING")).toBeVisible();
  await page.emulateMedia({ colorScheme: "dark" });
  await takePicture(page, "counter-still-sending-dark");
  await page.emulateMedia({ colorScheme: "light" });
  await press(page, "F6");
  await expect(page.locator("main li")).toHaveCount(4);
  await takePicture(page, "today");
});

test("a picture of the owner's first page for the guide", ({ page }) =>
  inTradedShop(async ({ url }) => {
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    await page.goto(url);
    await signInAs(page, "Olga", OWNER_PIN);
    await page.goto(`${url}/#/office/overview`);
    await page.getByText("Month", { exact: true }).click();
    await expect(page.locator("main figure")).toHaveCount(1);
    await expect(page.getByText("Loading…")).toHaveCount(0);
    await takePicture(page, "overview");
  }));

paperTest.describe("on paper", () => {
  paperTest("a receipt for the README", async ({ page, printer }) => {
    const receipt = aReceipt([aLine()]);
    await printer.print(receipt, "80mm");
    await page.evaluate((shown) => window.showReceipt(shown, "80mm"), receipt);
    await page.getByRole("article").screenshot({ path: "artifacts/screens/readme-receipt.png" });
  });
});
