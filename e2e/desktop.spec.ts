import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect, OWNER_PIN, test } from "./fixtures.ts";
import { leaveLink, openLink, standInForDesktop } from "./support/desktop-stand-in.ts";
import { expectNoFault } from "./support/faultless.ts";
import { takePicture } from "./support/pictures.ts";

test("an owner changes the program's settings, which a browser does not show", async ({
  page,
  shop,
  signIn,
}) => {
  await standInForDesktop(page);
  await page.reload();
  await signIn.as("Rosa", OWNER_PIN);
  await expect(page.getByRole("navigation").first()).toBeVisible();
  await page.goto(`${shop.url}/#/office/settings?view=program`);
  const kiosk = page.getByRole("switch", { name: "Kiosk mode" });
  await expect(kiosk).not.toBeChecked();
  await kiosk.click();
  await expect(kiosk).toBeChecked();
  await expect(page.getByRole("switch", { name: "Icon beside the clock" })).toBeChecked();
  await expectNoFault(page);
  await takePicture(page, "install-program");
});

test("a link opens a sale for the signed-in person, and reports an unknown sale", {
  tag: "@thorough",
}, async ({ page, shop, signIn }) => {
  await standInForDesktop(page);
  await page.reload();
  await signIn.as("Rosa", OWNER_PIN);
  await expect(page.getByRole("navigation").first()).toBeVisible();
  const saleNumber = await sell(page, shop.url);
  await openLink(page, { number: String(saleNumber) });
  await expect(page).toHaveURL(/#\/today\?/);
  await expect(page.getByRole("complementary").last()).toContainText("5123 9001");
  await openLink(page, { number: "987654" });
  await expect(page.getByRole("alert")).toContainText(/There is no sale .*987654/);
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("a link that arrives before the sign-in takes effect after it, and only opens the sale", {
  tag: "@thorough",
}, async ({ page, shop, signIn }) => {
  await standInForDesktop(page);
  await page.reload();
  await signIn.as("Rosa", OWNER_PIN);
  await expect(page.getByRole("navigation").first()).toBeVisible();
  const saleNumber = await sell(page, shop.url);
  await expect
    .poll(() => readToday(page, shop.url))
    .toMatchObject({ figures: { unfinished: 0, refundDue: 2635 } });
  const before = await readToday(page, shop.url);

  // As after a link that started the program: the link takes effect after the sign-in.
  await page.request.delete(`${shop.url}/pos/session`);
  await page.reload();
  await leaveLink(page, { number: String(saleNumber) });
  await expect(page.getByRole("button", { name: "Rosa" })).toBeVisible();
  await expect(page).not.toHaveURL(/#\/today\?/);
  await signIn.as("Rosa", OWNER_PIN);
  await expect(page).toHaveURL(/#\/today\?/);
  await expect(page.getByRole("complementary").last()).toContainText("5123 9001");
  expect(await readToday(page, shop.url)).toEqual(before);

  // A link to another shop's sale contains only the sale's id, which reveals nothing.
  await page.request.delete(`${shop.url}/pos/session`);
  await page.reload();
  const saleId = randomUUID();
  await leaveLink(page, { saleId });
  await signIn.as("Rosa", OWNER_PIN);
  await expect(page.getByRole("alert")).toContainText(`There is no sale ${saleId}`);
  expect(await readToday(page, shop.url)).toEqual(before);
});

async function readToday(page: Page, url: string): Promise<unknown> {
  const answer = await page.request.get(`${url}/pos/sales?limit=50&offset=0`);
  expect(answer.ok(), await answer.text()).toBe(true);
  return answer.json();
}

async function sell(page: Page, url: string): Promise<number> {
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(`${url}/pos${path}`, { data });
    expect(answer.ok(), await answer.text()).toBe(true);
    return answer.json();
  };
  const offerId = "TIGO_GT_TOPUP_25";
  const { price } = await post("/quotes", { offerId });
  const transactionId = randomUUID();
  const recipientPhoneNumber = "+50251239001";
  const line = { productType: "TOPUP", transactionId, offerId, recipientPhoneNumber, price };
  const tenders = [{ kind: "CASH", tendered: price }];
  const sale = await post("/sales", { saleId: randomUUID(), lines: [line], tenders });
  return sale.saleNumber;
}
