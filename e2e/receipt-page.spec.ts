import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import words from "../server/modules/selling/receipt-pages/page-words.json" with { type: "json" };
import { readPdf } from "../server/testing/read-pdf.ts";
import { expect, test } from "./fixtures.ts";
import { payBill, sellVoucher } from "./pages/each-family.ts";
import { countedKeys } from "./support/counted-keys.ts";
import { expectNoFault } from "./support/faultless.ts";
import { asOwner } from "./support/owner-session.ts";

test("the customer opens the receipt on a phone and taps for the PIN", async ({
  counter,
  page,
  shop,
  browser,
  playwright,
}) => {
  const request = await playwright.request.newContext();
  await asOwner(request, shop);
  const data = { enabled: true, publicUrl: shop.url, keepDays: 30, detailsInMail: false };
  expect((await request.put(`${shop.url}/pos/receipt-pages`, { data })).ok()).toBe(true);

  await sellVoucher(counter);
  await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
  const made = page.waitForResponse(
    (answer) => answer.request().method() === "POST" && answer.url().endsWith("/receipt-links"),
  );
  counter.keys = 0;
  await counter.press("Alt+s");
  await expect(page.getByRole("img", { name: "QR code of the receipt" })).toBeVisible();
  expect(counter.keys).toBe(countedKeys("The receipt on the customer's phone"));
  const { url } = await (await made).json();
  await expectNoFault(page, "[role=dialog] .mantine-Modal-body");
  await page.screenshot({ path: "artifacts/screens/send-receipt.png" });

  for (const colorScheme of ["light", "dark"] as const) {
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      colorScheme,
    });
    const phone = await context.newPage();
    await phone.goto(url);
    await expect(phone.getByRole("heading", { name: "Tienda Sol" })).toBeVisible();
    await expect(phone.getByText(words.en.test)).toBeVisible();
    await expect(phone.locator(".code")).toHaveCount(0);
    await phone.getByRole("button", { name: words.en.showPin }).click();
    await expect(phone.locator("#pin0")).toHaveText(/[0-9A-Z]{8}/);
    await expect(phone.getByRole("button", { name: "Copy" }).first()).toBeVisible();
    await expectNoFault(phone);
    const wide = await phone.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(390);
    await phone.screenshot({
      path: `artifacts/screens/receipt-page-${colorScheme}-390.png`,
      fullPage: true,
    });
    await context.close();
  }
  await expect(page.getByText("Opened 2 times")).toBeVisible();
  await expect(page.getByText("PIN or code shown 2 times")).toBeVisible();
  await page.getByRole("button", { name: "Withdraw the link" }).click();
  await expect(page.getByText("Withdrawn")).toBeVisible();
  const gone = await browser.newPage();
  expect((await gone.goto(url))?.status()).toBe(410);
  await expect(gone.getByText(words.en.GONE)).toBeVisible();
  await gone.close();
  await request.dispose();
});

test("a customer saves the proof of a bill payment from the receipt's page", {
  tag: "@thorough",
}, async ({ counter, page, shop, browser, playwright }) => {
  const request = await playwright.request.newContext();
  await asOwner(request, shop);
  const data = { enabled: true, publicUrl: shop.url, keepDays: 30, detailsInMail: false };
  expect((await request.put(`${shop.url}/pos/receipt-pages`, { data })).ok()).toBe(true);
  await payBill(counter);
  await expect(counter.panel.getByRole("heading", { name: "Paid" })).toBeVisible();
  const made = page.waitForResponse(
    (answer) => answer.request().method() === "POST" && answer.url().endsWith("/receipt-links"),
  );
  await counter.press("Alt+s");
  const { url } = await (await made).json();
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const phone = await context.newPage();
  await phone.goto(url);
  await expect(phone.getByText(words.en.due, { exact: true })).toBeVisible();
  await expectNoFault(phone);
  await phone.screenshot({ path: "artifacts/screens/receipt-page-bill-390.png", fullPage: true });
  const saved = phone.waitForEvent("download");
  await phone.getByRole("link", { name: words.en.savePdf }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toMatch(/^receipt-\d+-bill-1\.pdf$/);
  const { pages } = await readPdf(await readFile(await file.path()), "ltr");
  expect(pages.flat()).toContainEqual(["Account", "30001234567"]);
  expect(pages.flat().map(([name]) => name)).toContain(words.en.billPaid);
  await context.close();
  await request.dispose();
});

test("the till reports that customers' phones warn about the receipt's address, and mails the receipt", {
  tag: "@thorough",
}, async ({ counter, page, shop, playwright }) => {
  const request = await playwright.request.newContext();
  await asOwner(request, shop);
  const publicUrl = "https://192.168.1.10:7444";
  const data = { enabled: true, publicUrl, keepDays: 30, detailsInMail: false };
  expect((await request.put(`${shop.url}/pos/receipt-pages`, { data })).ok()).toBe(true);
  await sellVoucher(counter);
  await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
  await counter.press("Alt+s");
  await expect(
    page.getByText("Customers’ phones show a warning before they open this page"),
  ).toBeVisible();
  await expect(page.getByRole("img", { name: "QR code of the receipt" })).toBeVisible();
  await page.screenshot({ path: "artifacts/screens/send-receipt-warned.png" });
  await request.dispose();
});

test("a receipt handed over to a messaging service is not reported as arrived", {
  tag: "@thorough",
}, async ({ counter, page, shop, playwright }) => {
  const bodies: string[] = [];
  const receiver = createServer((asked, answer) => {
    let body = "";
    asked.on("data", (part) => {
      body += String(part);
    });
    asked.on("end", () => {
      if (asked.method === "POST") {
        bodies.push(body);
      }
      answer.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const request = await playwright.request.newContext();
  await asOwner(request, shop);
  const pages = { enabled: true, publicUrl: shop.url, keepDays: 30, detailsInMail: false };
  expect((await request.put(`${shop.url}/pos/receipt-pages`, { data: pages })).ok()).toBe(true);
  const hook = { environment: "test", kind: "RECEIPT", url: `http://${host}/`, allowPrivate: true };
  expect((await request.post(`${shop.url}/pos/webhooks`, { data: hook })).ok()).toBe(true);

  await counter.sellFirstOffer("50251234567");
  await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
  await counter.press("Alt+s");
  const dialog = page.getByRole("dialog");
  const number = dialog.getByLabel("Phone number");
  await expect(number).toHaveValue("+50251234567");
  await number.fill("5123");
  await dialog.getByRole("button", { name: "Send by SMS" }).click();
  await expect(dialog.getByText("Enter the whole number with +")).toBeVisible();
  await number.fill("+502 5123 4567");
  await dialog.getByRole("button", { name: "Send by WhatsApp" }).click();
  await expect(dialog.getByText(`Handed over to ${host}`)).toBeVisible();
  expect(bodies.map((body) => JSON.parse(body))).toMatchObject([
    { event: "receipt.send", channel: "WHATSAPP", to: "+50251234567" },
  ]);
  await expectNoFault(page, "[role=dialog] .mantine-Modal-body");
  await page.screenshot({ path: "artifacts/screens/send-receipt-message.png" });
  await request.dispose();
  await new Promise((resolve) => receiver.close(resolve));
});
