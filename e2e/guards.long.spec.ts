import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect, type ShopProcess, test } from "./fixtures.ts";
import { editCatalog, runPromotion } from "./support/edit-catalog.ts";

test("a sale in another window causes a warning when the payment is taken", async ({
  counter,
  page,
  shop,
}) => {
  await counter.chooseTopup("50251234567", "5");
  await expect(counter.primary(/Take payment Q 26\.35/)).toBeEnabled();
  await sellElsewhere(page, shop, { offerId: "TIGO_GT_TOPUP_25", number: "+50251234567" }, 2635);
  await counter.press("Enter");
  await expect(page.getByRole("alert")).toContainText("(sale 1)");
  await counter.press("Enter");
  const { total } = await shop.v1("/topups/purchases?_limit=10&_offset=0");
  expect(total).toBe(1);
});

test("a promotion is shown on its tiles and in the confirm step, in the clerk's language or English", async ({
  counter,
  page,
  shop,
}) => {
  const PROMO = "Top up with 10 GTQ to 200 GTQ and receive 2 GB of data on top.";
  await editCatalog(shop, runPromotion("CLARO_GT_BONUS_DATA_2026_01"));
  await page.reload();
  await counter.isReady();
  await counter.type("50230000000");
  await expect(page.getByText("Claro · detected")).toBeVisible();
  await counter.press("Enter");
  await expect(counter.tile(/Q 25\b.*Promotion|Promotion.*Q 25\b/s)).toBeVisible();
  await expect(counter.tile(/Q 5\b/).first()).not.toContainText("Promotion");
  await expect(page.getByRole("list", { name: "Promotions" })).toContainText(PROMO);
  await page.getByRole("button", { name: /Q 25\b/ }).click();
  const confirm = page.getByRole("region", { name: "Confirm with the customer" });
  await expect(confirm.getByRole("list", { name: "Promotions" })).toContainText(
    /2 GB of data on top\. until (30 Jun|Jun 30)/,
  );

  await test.step("a gateway that does not answer the check does not hold up the sale", async () => {
    await page.route("**/pos/sales/check", (route) => route.abort());
    await expect(counter.primary(/Take payment/)).toBeEnabled();
    await counter.press("Enter");
    await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
  });
});

test("a held sale is not lost when the till stops while the clerk resumes the sale", async ({
  counter,
  page,
  shop,
}) => {
  await counter.chooseTopup("50251234567", "5");
  await counter.press("Alt+h");
  await expect(page.getByRole("textbox", { name: "Name for this sale (optional)" })).toBeFocused();
  await counter.press("Enter");
  await expect(counter.number).toHaveValue("");

  await test.step("the gateway released the held sale, but its response never arrived", async () => {
    await page.route("**/pos/held-sales/*/resume", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await counter.press("Alt+h");
    await expect(counter.tile(/5123 4567.*Q 26\.35/s)).toBeVisible();
    const answered = page.waitForEvent("requestfailed");
    await counter.press("1");
    await answered;
    await page.unroute("**/pos/held-sales/*/resume");
    await page.reload();
  });

  await expect(counter.primary(/Take payment Q 26\.35/)).toBeEnabled();
  await counter.press("Enter");
  await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
  await page.reload();
  await counter.isReady();
  const { total } = await shop.v1("/topups/purchases?_limit=10&_offset=0");
  expect(total).toBe(1);
});

test("a biller of several countries opens in the shop's country, and a key changes the country", async ({
  counter,
  page,
}) => {
  await counter.press("F4");
  await expect(page.getByRole("heading", { name: "Choose a biller" })).toBeVisible();
  await counter.type("claro");
  await expect(counter.primary(/Continue with Claro/)).toBeEnabled();
  await counter.press("Enter");
  await expect(counter.tile(/Phone bill/)).toBeVisible();
  await counter.press("Alt+c");
  await expect(page.getByRole("heading", { name: "Choose the country for Claro" })).toBeVisible();
  await counter.type("hon");
  await expect(counter.primary(/Continue with Honduras/)).toBeEnabled();
  await counter.press("Enter");
  await expect(page.getByRole("main")).toContainText("Honduras");
  await expect(page.getByRole("button", { name: /Change country/ })).toBeVisible();
});

async function sellElsewhere(
  page: Page,
  { url }: ShopProcess,
  { offerId, number }: { offerId: string; number: string },
  price: number,
): Promise<void> {
  const line = { transactionId: randomUUID(), productType: "TOPUP", offerId, price };
  const answer = await page.request.post(`${url}/pos/sales`, {
    data: {
      saleId: randomUUID(),
      lines: [{ ...line, recipientPhoneNumber: number }],
      tenders: [{ kind: "CASH", tendered: price }],
    },
  });
  expect(answer.status(), await answer.text()).toBe(200);
}

test("a failed check is repeated with a single key", async ({ counter, page }) => {
  const trouble = { errorCode: "INTERNAL_ERROR", message: "", fields: {} };
  await page.route("**/pos/brands**", (route) => route.fulfill({ status: 500, json: trouble }));
  await counter.press("F2");
  await expect(page.getByRole("alert")).toBeVisible();
  await expect(counter.primary(/Try again/)).toBeEnabled();
  await page.unroute("**/pos/brands**");
  await counter.press("Enter");
  await expect(page.getByRole("button", { name: /Cemaco/ })).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
});
