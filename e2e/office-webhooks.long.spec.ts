import { startReceiver } from "../server/testing/webhook-receiver.ts";
import { expect, OWNER_PIN, test } from "./fixtures.ts";
import { expectNoFault } from "./support/faultless.ts";

const SALES = 2;

test("an owner adds a webhook, tests it, and resends a delivery", async ({
  counter,
  page,
  signIn,
}) => {
  const receiver = await startReceiver();
  const main = page.getByRole("main");
  const url = `${receiver.url}/sales`;
  const hooks = main.getByRole("list", { name: "Registered webhooks" }).getByRole("listitem");
  const deliveries = main.getByRole("list", { name: /^Deliveries/ }).getByRole("listitem");
  await page.keyboard.press("F9");
  await signIn.as("Rosa", OWNER_PIN);
  await counter.isReady();
  await page.keyboard.press("Alt+b");
  await page.getByRole("link", { name: "Webhooks" }).click();
  await expect(main.getByText("No webhooks yet.")).toBeVisible();
  await expect(main.getByText("Nothing was sent yet.")).toBeVisible();

  await test.step("a receiver that does not answer is not stored, and its field shows the reason", async () => {
    const address = main.getByRole("textbox", { name: "Address (URL)" });
    await address.fill(url);
    await main.getByRole("button", { name: "Check and save" }).click();
    await expect(address).toHaveAttribute("aria-invalid", "true");
    await main.getByRole("switch", { name: /on this computer/ }).press("Space");
    receiver.answerHead(404);
    await main.getByRole("button", { name: "Check and save" }).click();
    await expect(address).toHaveAttribute("aria-invalid", "true");
    await expectNoFault(page);
    receiver.answerHead(200);
  });

  await test.step("a receiver that answers is stored, with a secret that is shown only once", async () => {
    await main.getByRole("textbox", { name: "Header to send along" }).fill("x-shop");
    await main.getByRole("textbox", { name: "Value of the header" }).fill("sol");
    await main.getByRole("button", { name: "Check and save" }).click();
    await expect(main.locator("[data-secret]")).toHaveText(/^whsec_/);
    await expect(hooks).toHaveCount(1);
    await expect(hooks).toContainText("In order");
    expect(receiver.heads.at(-1)?.["x-shop"]).toBe("sol");
    await expectNoFault(page);
  });

  await test.step("a test shows the receiver's response", async () => {
    const send = main.getByRole("button", { name: `Send a test to ${url}` });
    receiver.behave(500, 200);
    await send.click();
    await expect(hooks).toContainText("Not accepted: status 500");
    await send.click();
    await expect(hooks).toContainText("Accepted, with status 200.");
    expect(receiver.received.at(-1)?.path).toBe("/sales");
    await expectNoFault(page);
  });

  const tests = receiver.received.length;
  await test.step("a sale is delivered to the receiver, and is listed", async () => {
    await page.keyboard.press("F1");
    await counter.isReady();
    await counter.sellFirstOffer("50251234567");
    await expect.poll(() => receiver.received.length).toBe(tests + 1);
    await page.goBack();
    await expect(deliveries).toHaveCount(1);
    await expect(deliveries).toContainText("Accepted");
    await expectNoFault(page);
  });

  await test.step("the delivery is repeated, and the list updates without a reload", async () => {
    await deliveries.getByRole("button", { name: /^Send .* again$/ }).click();
    await expect.poll(() => receiver.received.length).toBe(tests + SALES);
    const [first, again] = receiver.received.slice(tests);
    expect(again?.body).toBe(first?.body);
    await expect(deliveries.filter({ hasText: "Attempts: 2" })).toHaveCount(1);
  });

  await test.step("nothing is cut on a phone", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
    await expectNoFault(page);
    await page.screenshot({ path: "artifacts/screens/webhooks-390.png", fullPage: true });
    await main.getByRole("button", { name: `Remove ${url}` }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
    await expect(main.getByText("No webhooks yet.")).toBeVisible();
  });
  await receiver.close();
});
