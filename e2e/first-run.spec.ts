/** A shop's first minutes: five answers, and it can sell. */
import { expect, test } from "./fixtures.ts";
import { Counter } from "./pages/counter.ts";

test("a fresh shop answers the questions and can sell at once", async ({ page, newMachine }) => {
  await page.goto(newMachine.url);
  await page.getByLabel("Shop name").fill("Tienda Sol");
  await page.getByRole("combobox", { name: "Currency your customers pay in" }).click();
  await page.keyboard.type("GTQ");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Exchange rate")).toHaveValue("7.66");
  await page.getByLabel("Exchange rate").fill("7.75");
  await page.getByLabel("Owner’s name").fill("Rosa");
  await page.getByLabel("PIN", { exact: true }).fill("471183");
  await page.getByLabel("PIN again").fill("471183");
  await page.getByRole("button", { name: "Open the till" }).click();

  await test.step("the drawer is taken over before the first sale", async () => {
    await expect(page.getByRole("heading", { name: "Open your shift" })).toBeVisible();
    await page.keyboard.type("200");
    await expect(page.getByRole("button", { name: "Open with Q 200.00" })).toBeVisible();
    await page.keyboard.press("Enter");
  });

  const counter = new Counter(page);
  await counter.isReady();
  await expect(page.getByText("Tienda Sol")).toBeVisible();
  await expect(page.getByText("TEST MODE")).toBeVisible();
  await expect(page.getByLabel("Wallet")).toContainText("1,000.00");
  await counter.sellFirstOffer("50251234567");
  await expect(counter.panel.getByText("Delivered")).toBeVisible();
});

test("the till speaks the language that is chosen", async ({ page, freshShop }) => {
  await page.goto(freshShop.url);
  await page.getByRole("combobox", { name: "Language" }).click();
  await page.getByRole("option", { name: "Français" }).click();
  await expect(page.getByRole("button", { name: "Ouvrir la caisse" })).toBeVisible();
});

test("the till opens where the system has no language of its own", async ({ page, freshShop }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "languages", { get: () => ["en-US@posix"] });
  });
  await page.goto(freshShop.url);
  await expect(page.getByRole("button", { name: "Open the till" })).toBeVisible();
});

test("what is missing or wrong is named beside its field", async ({ page, freshShop }) => {
  await page.goto(freshShop.url);
  await page.getByLabel("PIN", { exact: true }).fill("12");
  await page.getByLabel("PIN again").fill("34");
  await page.getByRole("button", { name: "Open the till" }).click();
  await expect(page.getByText("Please fill this in").first()).toBeVisible();
  await expect(page.getByText("6 to 8 digits", { exact: true })).toBeVisible();
  const status = await (await fetch(`${freshShop.url}/pos/status`)).json();
  expect(status.setUp).toBe(false);
});
