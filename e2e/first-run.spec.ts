import { OWN_PIN_HEADER } from "../server/contract/pos/operation.ts";
import { CLERK, chooseOwnPin, expect, openShift, test } from "./fixtures.ts";
import { Counter } from "./pages/counter.ts";
import { SignIn } from "./pages/sign-in.ts";

test("an owner answers the set-up questions and can sell at once", { tag: "@core" }, async ({
  page,
  newMachine,
}) => {
  await page.goto(newMachine.url);
  await page.getByLabel("Shop name").fill("Tienda Sol");
  await page.getByRole("combobox", { name: "Country" }).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Guatem");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Guatemalan Quetzal (GTQ), Guatemala time")).toBeVisible();
  // The reference rate is months old, so the page shows its age and leaves the field empty.
  await expect(page.getByLabel("Exchange rate")).toHaveValue("");
  await expect(page.getByText(/Reference rate: 7\.66 on 15 Jan 2026 \(.* ago\)/)).toBeVisible();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("Enter the exchange rate, for example 7.75")).toBeVisible();
  await page.getByLabel("Exchange rate").fill("7.75");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("textbox", { name: "Your name" }).fill("Rosa");
  await page.getByLabel("PIN", { exact: true }).fill("471183");
  await page.getByLabel("PIN again").fill("471183");
  await page.getByRole("button", { name: "Continue", exact: true }).click();

  await test.step("the recovery sheet is shown only once, with its twelve words", async () => {
    await page.getByRole("button", { name: "Make the recovery sheet" }).click();
    const sheet = page.getByRole("region", { name: "Recovery sheet" });
    await expect(sheet.getByRole("listitem")).toHaveCount(12);
    // Each word has a number, because the order of the words matters.
    await expect(sheet.getByRole("list")).toHaveCSS("list-style-type", "decimal");
    await expect(sheet).toContainText(/Tienda Sol · .*20\d\d/);
    await expect(sheet.getByRole("img", { name: "The words as a QR code" })).toBeVisible();
    await page.getByRole("button", { name: "I have stored the sheet" }).click();
  });

  await test.step("the owner opens the shift with a float before the first sale", async () => {
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
  await test.step("a new clerk sees only first steps that a clerk can take", async () => {
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
  await test.step("the first steps are shown until they are dismissed", async () => {
    const steps = page.getByRole("region", { name: "What to try first" });
    await expect(steps).toContainText("+502 5123 4567");
    await expect(steps).toContainText("When you are ready, “Go live” in the back office");
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

test.describe("a first start in a browser with a region", () => {
  test.use({ locale: "es-GT", timezoneId: "America/Guatemala" });

  test("proposes the country's currency and time zone, and shows the age of the reference rate", {
    tag: "@thorough",
  }, async ({ page, freshShop }) => {
    await page.goto(freshShop.url);
    await expect(page.getByRole("combobox", { name: "País" })).toHaveValue("Guatemala");
    await expect(page.getByText(/quetzal.*\(GTQ\). Hora de Guatemala/i)).toBeVisible();
    await expect(page.getByText(/referencia: 7\.66 el .*2026/)).toBeVisible();
    await page.getByRole("button", { name: "Modificar" }).click();
    await page.getByRole("combobox", { name: "Zona horaria" }).click();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("tokyo");
    await page.keyboard.press("Enter");
    await page.getByRole("combobox", { name: /Moneda/ }).click();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("USD");
    await page.keyboard.press("Enter");
    await expect(page.getByLabel("Tipo de cambio")).toHaveCount(0);
  });
});

test("the till uses the chosen language", { tag: "@thorough" }, async ({ page, freshShop }) => {
  await page.goto(freshShop.url);
  await page.getByRole("combobox", { name: "Language" }).click();
  await page.getByRole("option", { name: "Français" }).click();
  await expect(page.getByRole("button", { name: "Continuer" })).toBeVisible();
});

test("the till opens if the system's language tag is invalid", { tag: "@thorough" }, async ({
  page,
  freshShop,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "languages", { get: () => ["en-US@posix"] });
  });
  await page.goto(freshShop.url);
  await expect(page.getByRole("button", { name: "Continue" })).toBeVisible();
});

test("missing and wrong values are reported beside their fields", { tag: "@thorough" }, async ({
  page,
  freshShop,
}) => {
  await page.goto(freshShop.url);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("Enter a shop name")).toBeVisible();
  await page.getByLabel("Shop name").fill("Tienda Sol");
  await page.getByRole("combobox", { name: "Country" }).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("El Salvador");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByLabel("PIN", { exact: true }).fill("12");
  await page.getByLabel("PIN again").fill("34");
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await expect(page.getByText("6 to 8 digits", { exact: true })).toBeVisible();
  const status = await (await fetch(`${freshShop.url}/pos/status`)).json();
  expect(status.setUp).toBe(false);
});
