import { readFile } from "node:fs/promises";
import { CLERK, expect, OWNER_PIN, test } from "./fixtures.ts";
import { typeOwnPin } from "./pages/sign-in.ts";
import { expectNoFault } from "./support/faultless.ts";

const MARTA = { name: "Marta", pin: "593817" };
const WHO = / · Marta$/;
const CLOSED_PLACES = ["/", "/shift", "/staff", "/printing", "/office/settings", "/office/live"];

test("an accountant reads and exports figures, but cannot open the counter, settings or provider", async ({
  counter,
  page,
  shop,
  signIn,
}) => {
  const main = page.getByRole("main");
  await test.step("the owner adds Marta after Ana has sold", async () => {
    await counter.sellFirstOffer("50251234567");
    await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
    await page.keyboard.press("F9");
    await signIn.as("Rosa", OWNER_PIN);
    await counter.isReady();
    await page.keyboard.press("F10");
    await page.getByRole("button", { name: "Add staff member" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill(MARTA.name);
    await dialog.getByText("Accountant", { exact: true }).click();
    await expect(dialog.getByText(/An accountant views and exports reports/)).toBeVisible();
    await dialog.getByLabel("PIN", { exact: true }).fill("739154");
    await expectNoFault(page);
    await dialog.getByRole("button", { name: "Save" }).click();
    await typeOwnPin(page, OWNER_PIN);
    await expect(dialog).toHaveCount(0);
    await page.keyboard.press("F9");
  });

  await test.step("Marta signs in without a shift, and sees the first page of the back office", async () => {
    await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
    await signIn.first(MARTA.name, "739154", MARTA.pin);
    await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
    await expect(page.getByText(WHO)).toBeVisible();
    const menu = page.getByRole("navigation", { name: "Back office" });
    for (const open of ["Overview", "Reports", "Wallet"]) {
      await expect(menu.getByRole("link", { name: open })).toBeVisible();
    }
    for (const closed of ["Prices", "Products", "Bulk sales", "Staff", "Settings", "Go live"]) {
      await expect(menu.getByRole("link", { name: closed })).toHaveCount(0);
    }
    await expectNoFault(page);
  });

  await test.step("a figure links to its rows, and the rows are exported to a file", async () => {
    await main.getByRole("link", { name: "Sold today" }).click();
    const rows = page.getByRole("region", { name: "Sold items" });
    await expect(rows.getByRole("row")).toHaveCount(2);
    await expect(rows).toContainText(CLERK.name);
    await expectNoFault(page);
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download CSV" }).click();
    const file = await readFile(await (await download).path(), "utf8");
    expect(file.trimEnd().split("\r\n")).toHaveLength(2);
    expect(file).toContain('"Ana"');
  });

  await test.step("Marta reads the wallet, and cannot recharge it", async () => {
    await page
      .getByRole("navigation", { name: "Back office" })
      .getByRole("link", { name: "Wallet" })
      .click();
    await expect(page.getByRole("region", { name: "Wallet balance" })).toBeVisible();
    await expect(page.getByRole("form", { name: "Add funds" })).toHaveCount(0);
    await expectNoFault(page);
  });

  await test.step("neither keys nor addresses open other screens", async () => {
    await page.keyboard.press("F1");
    await page.keyboard.press("Alt+t");
    for (const place of CLOSED_PLACES) {
      await page.goto(`${shop.url}/#${place}`);
      await page.reload();
      await expect(page.getByText(WHO)).toBeVisible();
      await expect(main.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(
        page.getByRole("textbox", { name: "Number, name, product or barcode" }),
      ).toHaveCount(0);
      const others = /^(Settings|Go live|Staff|Shift|Open your shift|Printing)$/;
      await expect(page.getByRole("heading", { name: others })).toHaveCount(0);
    }
  });

  await test.step("the gateway refuses the actions that the pages do not show", async () => {
    const pos = `${shop.url}/pos`;
    for (const path of ["/upstream", "/settings", "/till-environment", "/staff", "/webhooks"]) {
      expect((await page.request.get(pos + path)).status(), path).toBe(403);
    }
    const recharge = { environment: "test", amount: 100 };
    const booked = await page.request.post(`${pos}/wallet/recharges`, { data: recharge });
    expect(booked.status()).toBe(403);
    const shift = { shiftId: crypto.randomUUID(), float: 0 };
    expect((await page.request.post(`${pos}/shifts`, { data: shift })).status()).toBe(403);
  });
});
