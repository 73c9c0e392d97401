import { expect as base, type Page } from "@playwright/test";
import { readPdf } from "../../server/testing/read-pdf.ts";
import { Counter } from "./counter.ts";

const FIRST_SALE = "000001";

/** Sets its own timeout, because this file is also used without a test runner. */
const expect = base.configure({ timeout: 90_000 });

export async function setUpShop(page: Page): Promise<Counter> {
  await page.getByLabel("Shop name").fill("Tienda Sol");
  await choose(page, "Country", "Guatem");
  await page.getByLabel("Exchange rate").fill("7.75");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("textbox", { name: "Your name" }).fill("Rosa");
  await page.getByLabel("PIN", { exact: true }).fill("471183");
  await page.getByLabel("PIN again").fill("471183");
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await page.getByRole("button", { name: "Do this later" }).click();
  await expect(page.getByRole("heading", { name: "Open shift" })).toBeVisible();
  await page.keyboard.type("200");
  await page.keyboard.press("Enter");
  const counter = new Counter(page);
  await expect(counter.number).toBeVisible();
  await expect(page.getByText("Test mode").first()).toBeVisible();
  return counter;
}

async function choose(page: Page, name: string, text: string): Promise<void> {
  await page.getByRole("combobox", { name }).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
}

export async function sellAndPrint(counter: Counter): Promise<void> {
  await counter.type("50251234567");
  await counter.press("Enter");
  const tiles = counter.page.getByRole("main").getByRole("button", { name: /Q 5\b/ });
  await expect(tiles.first()).toBeVisible();
  await counter.press("1");
  await expect(counter.primary(/Take payment/)).toBeEnabled();
  await counter.press("Enter");
  await expect(counter.panel.getByText("Delivered").first()).toBeVisible();
  await counter.press("Alt+p");
}

/** @throws Error if a PDF is not the receipt of the shop's first sale */
export async function requireReceipt(pdf: Uint8Array): Promise<void> {
  const { pages } = await readPdf(pdf, "ltr");
  const text = pages.flat(2).join("\n");
  for (const expected of ["Tienda Sol", FIRST_SALE, "5123 4567"]) {
    if (!text.includes(expected)) {
      throw new Error(`The receipt of ${pages.length} pages lacks "${expected}":\n${text}`);
    }
  }
}
