import type { Page } from "@playwright/test";
import { type FakePrinter, startFakePrinter } from "../server/testing/fake-printer.ts";
import { CLERK, expect, OWNER_PIN, openShift, setUp, test } from "./fixtures.ts";
import { Counter } from "./pages/counter.ts";
import { Shift } from "./pages/shift.ts";
import { SignIn } from "./pages/sign-in.ts";
import { readPrint } from "./support/escpos-reader.ts";
import { expectNoFault } from "./support/faultless.ts";

test("a till that always prints opens the drawer for cash, and prints one receipt automatically", async ({
  page,
  shop,
}) => {
  const device = await startWithPrinter(page, shop.url, "58mm");
  await page.evaluate(() => localStorage.setItem("tillgate.print-rule", "always"));
  await page.reload();
  await new Counter(page).isReady();
  await page.keyboard.type("50251234567");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /26[.,]35/ }).click();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Printed 1 time")).toBeVisible();
  await expect.poll(() => device.received.filter(({ length }) => length > 0).length).toBe(2);
  const [drawer, receipt] = device.received.map((bytes) => readPrint([...bytes]));

  expect(drawer).toMatchObject({ pulses: 1, cuts: 0, images: [] });
  expect(receipt).toMatchObject({ pulses: 0, cuts: 1 });
  expect(receipt?.text).toContain("Sale 000001");
  await device.close();
});

test("a clerk opens the drawer without a sale, after a reason and an approval", async ({
  page,
  shop,
}) => {
  const device = await startWithPrinter(page, shop.url, "80mm");
  await page.keyboard.press("F9");
  await new SignIn(page).as(CLERK.name, CLERK.pin);
  await new Counter(page).isReady();

  await page.keyboard.press("Alt+o");
  const dialog = page.getByRole("dialog", { name: "Open the drawer without a sale" });
  await expect(dialog.getByRole("textbox", { name: "Reason" })).toBeFocused();
  await page.keyboard.type("change for a customer");
  await expectNoFault(page);
  await page.screenshot({ path: "artifacts/screens/drawer-en.png" });
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Rosa’s PIN")).toBeFocused();
  expect(device.received).toEqual([]);
  await page.keyboard.type(OWNER_PIN);
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect
    .poll(() => device.received.map((bytes) => readPrint([...bytes]).pulses))
    .toEqual([1]);

  await page.keyboard.press("F7");
  await expect(page.getByRole("list", { name: /Movements/ })).toContainText(
    "change for a customer",
  );
  await page.keyboard.press("Control+k");
  await page.keyboard.type("drawer");
  await expect(page.getByText("Alt+O")).toBeAttached();
  await device.close();
});

async function startWithPrinter(
  page: Page,
  url: string,
  paper: "58mm" | "80mm",
): Promise<FakePrinter> {
  const device = await startFakePrinter();
  await page.goto(url);
  await new SignIn(page).as("Rosa", OWNER_PIN);
  await new Counter(page).isReady();
  const printerId = "7a1c3c1e-5a55-4b0e-8c8f-0d4c5a7d1e22";
  const printer = { name: "P", host: device.host, port: device.port, paper, drawer: true };
  await page.evaluate(
    async ([id, body]) => {
      const headers = { "content-type": "application/json" };
      await fetch(`/pos/printers/${id}`, { method: "PUT", headers, body });
      localStorage.setItem("tillgate.printer", id);
    },
    [printerId, JSON.stringify(printer)] as const,
  );
  return device;
}

for (const [language, paper, dots] of [
  ["en", "58mm", 384],
  ["ar", "80mm", 576],
] as const) {
  test(`a network printer prints X and Z reports, in ${language} on ${paper}`, async ({
    freshShop,
    page,
  }) => {
    await setUp(freshShop, { name: "Tienda Sol", language });
    await openShift(freshShop, "Rosa", OWNER_PIN);
    await page.addInitScript(() => localStorage.setItem("tillgate.language", "en"));
    const device = await startWithPrinter(page, freshShop.url, paper);
    const prints = () =>
      device.received.filter(({ length }) => length > 0).map((bytes) => readPrint([...bytes]));
    await new Shift(page).open();
    await page.getByRole("button", { name: "Print X report" }).click();
    await expect.poll(() => prints().length).toBe(1);

    await new Shift(page).choose("5", "Close shift");
    await page.keyboard.type("12.34");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Z report 1" })).toBeVisible();
    const print = page.getByRole("button", { name: "Print", exact: true });
    device.manner = "out-of-paper";
    await print.click();
    await expect(page.getByText("The report was not printed.")).toBeVisible();
    device.manner = "well";
    for (const count of [2, 3]) {
      await print.click();
      await expect.poll(() => prints().length).toBe(count);
      await expect(print).toBeEnabled();
    }

    const [x, original, copy] = prints();
    for (const report of [x, original, copy]) expect(report).toMatchObject({ pulses: 0, cuts: 1 });
    if (language === "en") {
      expect(x?.text).toContain("X report");
      expect(x?.text).not.toContain("Z report");
      // A print after a failed print is an original, not a copy.
      expect(original?.text).toContain("Z report 1");
      expect(original?.text).not.toContain("COPY");
      expect(original?.text).toContain("Expected cash");
      expect(original?.text).toContain("Q 12.34");
      expect(copy?.text).toContain("COPY 1");
      const columns = dots / 12;
      const lines = original?.text.split(/[\r\n]+/).map((line) => line.trim());
      expect(lines?.filter((line) => line.length > columns)).toEqual([]);
    } else {
      expect(original?.text.replaceAll(/[\s\d─═-]/g, "")).toBe("");
      expect(original?.images.length).toBeGreaterThan(10);
      for (const { width, black } of original?.images ?? []) {
        expect(width).toBe(dots);
        expect(black).toBeGreaterThan(20);
      }
      expect(copy?.images.length).toBeGreaterThan(original?.images.length ?? Infinity);
    }
    await device.close();
  });
}
