import { expect, test } from "./fixtures.ts";
import { expectNoFault } from "./support/faultless.ts";
import { drawLogo } from "./support/logo-picture.ts";
import { asOwner } from "./support/owner-session.ts";

test("the customer follows the sale on a second screen", async ({
  page,
  counter,
  shop,
  context,
  request,
}) => {
  await asOwner(request, shop);
  const content = drawLogo("logo").buffer.toString("base64");
  expect((await request.put(`${shop.url}/pos/shop/logo`, { data: { content } })).ok()).toBe(true);
  await test.step("the clerk turns the customer display on and reads its code", async () => {
    await counter.openFromAccount("Customer display");
    await page.getByRole("button", { name: "Turn on" }).click();
  });
  const code = await page.getByRole("status", { name: "Code" }).textContent();
  await page.getByRole("button", { name: "Close" }).click();

  const display = await context.newPage();
  await test.step("another browser sends a wrong code, then the right code", async () => {
    await display.goto(`${shop.url}/display`);
    await display.getByLabel("Code").fill("1234");
    await display.getByRole("button", { name: "Show" }).click();
    await expect(display.getByText("A code has eight letters and digits")).toBeVisible();
    await display.getByLabel("Code").fill((code ?? "").toLowerCase());
    await display.getByRole("button", { name: "Show" }).click();
    await expect(display.getByRole("heading", { name: "Tienda Sol" })).toBeVisible();
    const logo = display.locator("main img");
    const width = () => logo.evaluate((image: HTMLImageElement) => image.naturalWidth);
    await expect.poll(width).toBe(240);
    await expect(display.getByText("Test mode", { exact: true })).toBeVisible();
    await display.screenshot({ path: "artifacts/screens/customer-display-logo.png" });
  });

  await test.step("the display shows the confirm step in large letters", async () => {
    await page.bringToFront();
    await counter.type("50251234567");
    await counter.press("Enter");
    await expect(counter.tile(/Q 10\b/).first()).toBeVisible();
    await counter.press("2");
    await expect(display.getByText("+502 5123 4567")).toBeVisible();
    await expect(display.getByText("Please check that this is right")).toBeVisible();
    await expectNoFault(display);
    await display.screenshot({ path: "artifacts/screens/customer-display-confirm.png" });
  });

  await test.step("the display shows the change and the outcome", async () => {
    await counter.type("100");
    await expect(display.getByText("Change")).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(display.getByText("Thank you")).toBeVisible();
    await expect(display.getByText("Delivered")).toBeVisible();
    await display.screenshot({ path: "artifacts/screens/customer-display-paid.png" });
  });

  await test.step("the next customer sees nothing of the sale", async () => {
    await counter.type("502");
    await expect(display.getByText("+502 5123 4567")).toBeHidden();
    await expect(display.getByRole("heading", { name: "Tienda Sol" })).toBeVisible();
  });

  await test.step("the display shows the amount of a refund", async () => {
    await page.keyboard.press("Escape");
    await counter.isReady();
    await counter.type("50251239001");
    await counter.press("Enter");
    await expect(counter.tile(/Q 5\b/).first()).toBeVisible();
    await counter.press("1");
    await counter.type("20");
    await page.keyboard.press("Enter");
    await expect(display.getByText("Sorry, this could not be delivered")).toBeVisible();
    await expect(display.getByText("You get back").locator("..")).toContainText("Q 5.43");
    await expect(display.getByText("Thank you")).toHaveCount(0);
    await counter.press("Alt+g");
    await expect(counter.panel.getByText("Refunded: Q 5.43")).toBeVisible();
    await expect(display.getByText("You get back").locator("..")).toContainText("Q 5.43");
    await expectNoFault(display);
    await display.screenshot({ path: "artifacts/screens/customer-display-money-back.png" });
  });

  await test.step("with several items, the display shows the item of the open confirm step", async () => {
    for (const number of ["50251234561", "50251234562", "50251234563"]) {
      await counter.type(number);
      await counter.press("Enter");
      await expect(counter.tile(/Q 5\b/).first()).toBeVisible();
      await counter.press("1");
      const shown = `+502 5123 ${number.slice(-4)}`;
      await expect(display.getByText(shown)).toBeInViewport({ ratio: 1 });
      await counter.press("+");
    }
    await page.keyboard.press("Alt+1");
    await page.keyboard.press("Alt+1");
    await page.keyboard.press("Alt+1");
    await counter.isReady();
  });

  await test.step("a new code ends the old display", async () => {
    await counter.openFromAccount("Customer display");
    await page.getByRole("button", { name: "Turn off" }).click();
    await expect(page.getByRole("button", { name: "Turn on" })).toBeVisible();
  });
});
