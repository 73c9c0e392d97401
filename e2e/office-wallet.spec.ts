import { expect, OWNER_PIN, test } from "./fixtures.ts";
import { expectNoFault } from "./support/faultless.ts";

test("a recharge appears in the statement, an alert warns the owner, and the test wallet is set", async ({
  counter,
  page,
  shop,
  signIn,
}) => {
  await counter.isReady();
  await page.keyboard.press("F9");
  await signIn.as("Rosa", OWNER_PIN);
  await counter.isReady();
  await page.goto(`${shop.url}/#/office/wallet`);
  const balance = page.getByRole("region", { name: "Wallet balance" });
  await expect(balance).toContainText(/1,000\.00/);
  await expectNoFault(page);

  const recharge = page.getByRole("form", { name: "Add funds" });
  await recharge.getByRole("button").click();
  await expect(recharge).toContainText("Enter an amount");
  await recharge.getByLabel("Amount in USD").fill("25.5");
  await recharge.getByLabel(/Price you paid, in GTQ/).fill("200");
  await recharge.getByLabel(/Reference/).fill("Transfer 88-1");
  const booked = page.waitForRequest((sent) => sent.url().endsWith("/pos/wallet/recharges"));
  await recharge.getByRole("button", { name: "Add funds" }).click();
  await expect(recharge).toContainText("Funds added.");
  await expect(balance).toContainText(/1,025\.50/);
  expect((await booked).postDataJSON()).toMatchObject({ amount: 2550, paid: 20000 });

  const alert = page.getByRole("form", { name: "Low-balance alert" });
  await alert.getByLabel(/At or below/).fill("20");
  await alert.getByRole("button").click();
  const set = page.getByRole("form", { name: "Set the test wallet" });
  await set.getByLabel(/New available amount/).fill("19.99");
  await set.getByRole("button").click();
  await expect(balance).toContainText("At or below your alert amount.");
  await expect(page.getByRole("alert")).toContainText(/19\.99 left/);
  await page.keyboard.press("F1");
  await expect(page.getByRole("alert")).toContainText(/19\.99 left/);
  await page.getByRole("alert").getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("alert")).toHaveCount(0);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${shop.url}/#/office/wallet?view=statement`);
  const entries = page.getByRole("list", { name: /Movements/ }).getByRole("listitem");
  await expect(entries.first()).toContainText("Adjusted down");
  await expect(entries.nth(1)).toContainText(/Transfer 88/);
  await expect(entries.nth(1)).toContainText(/balance .*1,025\.50/);
  await expectNoFault(page);
  const address = await page.getByRole("link", { name: /Download/ }).getAttribute("href");
  const file = await page.request.get(`${shop.url}${address}`);
  expect(await file.text()).toContain('"Transfer 88-1",25.50,1025.50');
});
