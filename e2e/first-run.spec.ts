/** A shop's first minutes: six answers, some of them proposed, and it can sell. */
import { OWN_PIN_HEADER } from "../server/contract/pos/operation.ts";
import { CLERK, chooseOwnPin, expect, openShift, test } from "./fixtures.ts";
import { Counter } from "./pages/counter.ts";
import { SignIn } from "./pages/sign-in.ts";

test("a fresh shop answers the questions and can sell at once", { tag: "@core" }, async ({
  page,
  newMachine,
}) => {
  await page.goto(newMachine.url);
  await page.getByLabel("Shop name").fill("Tienda Sol");
  await page.getByRole("combobox", { name: "Currency your customers pay in" }).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("GTQ");
  await page.keyboard.press("Enter");
  // The machine counts by UTC, which is nobody's day.
  const zone = page.getByRole("combobox", { name: "Time zone" });
  await expect(zone).toHaveValue("");
  await zone.click();
  await page.keyboard.type("guatem");
  await page.keyboard.press("Enter");
  await expect(zone).toHaveValue("America/Guatemala");
  await expect(page.getByLabel("Exchange rate")).toHaveValue("7.66");
  await page.getByLabel("Exchange rate").fill("7.75");
  await page.getByLabel("Owner’s name").fill("Rosa");
  await page.getByLabel("PIN", { exact: true }).fill("471183");
  await page.getByLabel("PIN again").fill("471183");
  await page.getByRole("button", { name: "Open the till" }).click();

  await test.step("the recovery sheet is shown once, with its twelve words", async () => {
    await page.getByRole("button", { name: "Make the recovery sheet" }).click();
    const sheet = page.getByRole("region", { name: "Recovery sheet" });
    await expect(sheet.getByRole("listitem")).toHaveCount(12);
    // The words count in their order: each has its number, and the sheet its day.
    await expect(sheet.getByRole("list")).toHaveCSS("list-style-type", "decimal");
    await expect(sheet).toContainText(/Tienda Sol · .*20\d\d/);
    await expect(sheet.getByRole("img", { name: "The words as a QR code" })).toBeVisible();
    await page.getByRole("button", { name: "I have stored the sheet" }).click();
  });

  await test.step("the drawer is taken over before the first sale", async () => {
    await expect(page.getByRole("heading", { name: "Open shift" })).toBeVisible();
    await page.keyboard.type("200");
    await expect(page.getByRole("button", { name: "Open shift with Q 200.00" })).toBeVisible();
    await page.keyboard.press("Enter");
  });

  const counter = new Counter(page);
  await counter.isReady();
  await expect(page.getByText("Tienda Sol")).toBeVisible();
  await expect(page.getByText("Test mode")).toBeVisible();
  await expect(page.getByLabel("Wallet")).toContainText("1,000.00");
  const status = await (await fetch(`${newMachine.url}/pos/status`)).json();
  expect(status).toMatchObject({ timeZone: "America/Guatemala", country: "GT" });
  await test.step("a clerk is told to try what a clerk can do", async () => {
    const given = "739154";
    const data = { name: CLERK.name, role: "clerk", pin: given };
    const headers = { [OWN_PIN_HEADER]: "471183" };
    const added = await page.request.post(`${newMachine.url}/pos/staff`, { data, headers });
    expect(added.ok()).toBe(true);
    const { staffId } = await added.json();
    await chooseOwnPin(newMachine, { staffId, given, own: CLERK.pin });
    await openShift(newMachine, CLERK.name, CLERK.pin);
    await page.keyboard.press("F9");
    await new SignIn(page).as(CLERK.name, CLERK.pin);
    await counter.isReady();
    const steps = page.getByRole("region", { name: "What to try first" });
    await expect(steps).toContainText("print the Z report");
    await expect(steps).not.toContainText("Go live");
    await page.keyboard.press("F9");
    await new SignIn(page).as("Rosa", "471183");
    await counter.isReady();
  });
  await test.step("what to try first is said until it is read", async () => {
    const steps = page.getByRole("region", { name: "What to try first" });
    await expect(steps).toContainText("+502 5123 4567");
    await expect(steps).toContainText("Go live when you are ready");
    await page.reload();
    await steps.getByRole("button", { name: "Got it" }).click();
    await expect(steps).toHaveCount(0);
    await page.reload();
    await counter.isReady();
    await expect(page.getByText("No items yet")).toBeVisible();
  });
  await counter.sellFirstOffer("50251234567");
  await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
});

test.describe("in a browser that says where it is", () => {
  test.use({ locale: "es-GT", timezoneId: "America/Guatemala" });

  test("currency, rate and time zone are proposed, the rate with its year, and nothing jumps", {
    tag: "@thorough",
  }, async ({ page, freshShop }) => {
    await page.goto(freshShop.url);
    await expect(page.getByRole("combobox", { name: /Moneda/ })).toHaveValue(/GTQ/);
    await expect(page.getByLabel("Tipo de cambio")).toHaveValue("7.66");
    await expect(page.getByRole("combobox", { name: "Zona horaria" })).toHaveValue(
      "America/Guatemala",
    );
    await expect(page.getByText(/según los tipos del .*2026/)).toBeVisible();
    const button = page.getByRole("button", { name: "Abrir la caja" });
    const before = await button.boundingBox();
    await page.getByRole("combobox", { name: "Zona horaria" }).click();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("tokyo");
    await page.keyboard.press("Enter");
    await page.getByRole("combobox", { name: /Moneda/ }).click();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("USD");
    await page.keyboard.press("Enter");
    expect(await button.boundingBox()).toEqual(before);
  });
});

test("the till speaks the language that is chosen", { tag: "@thorough" }, async ({
  page,
  freshShop,
}) => {
  await page.goto(freshShop.url);
  await page.getByRole("combobox", { name: "Language" }).click();
  await page.getByRole("option", { name: "Français" }).click();
  await expect(page.getByRole("button", { name: "Ouvrir la caisse" })).toBeVisible();
});

test("the till opens where the system has no language of its own", { tag: "@thorough" }, async ({
  page,
  freshShop,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "languages", { get: () => ["en-US@posix"] });
  });
  await page.goto(freshShop.url);
  await expect(page.getByRole("button", { name: "Open the till" })).toBeVisible();
});

test("what is missing or wrong is named beside its field", { tag: "@thorough" }, async ({
  page,
  freshShop,
}) => {
  await page.goto(freshShop.url);
  await page.getByLabel("PIN", { exact: true }).fill("12");
  await page.getByLabel("PIN again").fill("34");
  await page.getByRole("button", { name: "Open the till" }).click();
  await expect(page.getByText("Please fill this in").first()).toBeVisible();
  await expect(page.getByText("6 to 8 digits", { exact: true })).toBeVisible();
  const status = await (await fetch(`${freshShop.url}/pos/status`)).json();
  expect(status.setUp).toBe(false);
});
