import { expect, OWNER_PIN, test } from "./fixtures.ts";
import { catchPrints } from "./support/browser-prints.ts";
import { expectNoFault } from "./support/faultless.ts";

test("an owner sets the shop's address and support lines, and every receipt contains them", async ({
  counter,
  signIn,
  page,
}) => {
  await page.keyboard.press("F9");
  await signIn.as("Rosa", OWNER_PIN);
  await counter.isReady();
  await page.getByRole("button", { name: /^Account/ }).click();
  await page.getByRole("button", { name: "Printers", exact: true }).click();

  await test.step("lines that do not fit are reported beside their field", async () => {
    await page.getByLabel("Help for customers").fill(`Help\n${"x".repeat(43)}`);
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("A line is longer than 42 characters")).toBeVisible();
  });

  await test.step("the receipt prints three lines, in any script", async () => {
    await page.getByLabel("Shop address").fill("12 Calle 4-56, Zona 1");
    await page.getByLabel("Help for customers").fill("Help: +502 2222 3333\nمساعدة العملاء");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Saved. It will be on the next receipt.")).toBeVisible();
    await expectNoFault(page);
  });

  await page.keyboard.press("F1");
  await counter.isReady();
  const prints = await catchPrints(page);
  await counter.sellFirstOffer("50251234567");
  await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
  await counter.press("p");
  await expect(counter.panel.getByText("Printed 1 time")).toBeVisible();
  const [receipt] = await prints();
  for (const words of ["12 Calle 4-56, Zona 1", "Help: +502 2222 3333", "مساعدة العملاء"]) {
    expect(receipt).toContain(words);
  }
});
