import { startMailServer } from "../server/testing/mail-server.ts";
import { expect, OWNER_PIN, test } from "./fixtures.ts";
import { expectNoFault } from "./support/faultless.ts";
import { asOwner } from "./support/owner-session.ts";

const REFUSAL = "no such person here";

test("an owner sees why a receipt was not sent, and sends it again", async ({
  counter,
  page,
  shop,
  signIn,
  playwright,
}) => {
  const mails = await startMailServer();
  const request = await playwright.request.newContext();
  await asOwner(request, shop);
  const pages = { enabled: true, publicUrl: shop.url, keepDays: 30, detailsInMail: false };
  expect((await request.put(`${shop.url}/pos/receipt-pages`, { data: pages })).ok()).toBe(true);
  const server = { host: "127.0.0.1", port: mails.port, security: "NONE", user: "shop" };
  const data = { ...server, password: "secret", from: "till@shop.example" };
  expect((await request.put(`${shop.url}/pos/mail`, { data })).ok()).toBe(true);

  await test.step("the clerk sends a receipt, and the mail server refuses the address", async () => {
    mails.refuse(REFUSAL, 550, "RCPT TO");
    await counter.sellFirstOffer("50251234567");
    await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
    await counter.press("Alt+s");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("E-mail address").fill("ana@example.com");
    await dialog.getByRole("button", { name: "Send by e-mail" }).click();
    await expect(dialog.getByText("Not sent")).toBeVisible();
    await page.keyboard.press("Escape");
  });

  const main = page.getByRole("main");
  const list = main.getByRole("list", { name: /^Receipts sent to customers/ });
  const rows = list.getByRole("listitem");
  await test.step("the owner sees the receipt in the office, without the whole address", async () => {
    await page.keyboard.press("F9");
    await signIn.as("Rosa", OWNER_PIN);
    await counter.isReady();
    await page.goto(`${shop.url}/#/office/settings?view=receipts`);
    await expect(rows).toHaveCount(1);
    await expect(rows).toContainText("Sale 1 · a…@example.com");
    await expect(rows).toContainText(/^Sale 1.*Not sent · E-mail/);
    await expect(rows).toContainText(REFUSAL);
    await main.getByRole("switch", { name: "Only those that were not sent" }).press("Space");
    await expect(rows).toHaveCount(1);
    await expectNoFault(page);
    await rows.scrollIntoViewIfNeeded();
    await page.screenshot({ path: "artifacts/screens/office-sent-receipts-failed.png" });
  });

  await test.step("the owner resends the receipt, and no unsent receipt remains", async () => {
    mails.refuse(undefined);
    await rows.getByRole("button", { name: "Send again: receipt of sale 1" }).click();
    await expect.poll(() => mails.mails.length).toBe(1);
    await expect(main.getByText("Every receipt was sent.")).toBeVisible();
    await main.getByRole("switch", { name: "Only those that were not sent" }).press("Space");
    await expect(rows).toContainText(/Sent · E-mail/);
    await expect(rows.getByRole("button")).toHaveCount(0);
    await expectNoFault(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await rows.scrollIntoViewIfNeeded();
    await page.screenshot({ path: "artifacts/screens/office-sent-receipts-390.png" });
  });
  await request.dispose();
  await mails.close();
});
