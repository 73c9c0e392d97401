import { startFakePrinter } from "../server/testing/fake-printer.ts";
import { CLERK, expect, OWNER_PIN, test } from "./fixtures.ts";
import { Counter } from "./pages/counter.ts";
import { SignIn } from "./pages/sign-in.ts";
import { readPrint } from "./support/escpos-reader.ts";
import { drawLogo } from "./support/logo-picture.ts";

test("an owner adds a printer, and a receipt that waited for paper is printed as the original", {
  tag: "@thorough",
}, async ({ page, shop }) => {
  const device = await startFakePrinter();
  const lastPrint = () => readPrint([...(device.received.at(-1) ?? [])]);
  await page.goto(shop.url);
  await new SignIn(page).as("Rosa", OWNER_PIN);
  await new Counter(page).isReady();
  await page.getByRole("button", { name: /^Account/ }).click();
  await page.getByRole("button", { name: "Printers", exact: true }).click();
  await page.screenshot({ path: "artifacts/screens/printing-empty-en.png" });
  await page.getByRole("button", { name: "Add a printer" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Counter");
  await page.getByRole("textbox", { name: "Address", exact: true }).fill(device.host);
  await page.getByRole("textbox", { name: "Port" }).fill(String(device.port));
  await page.getByRole("checkbox").check();
  await page.screenshot({ path: "artifacts/screens/printing-add-en.png" });
  await page.getByRole("button", { name: "Save" }).first().click();
  await page.getByRole("button", { name: "Test Counter" }).click();
  await expect(page.getByText("The test page was sent to the printer.")).toBeVisible();
  expect(lastPrint()).toMatchObject({ pulses: 1, cuts: 1 });
  expect(lastPrint().text).toContain("Tienda Sol");

  const content = drawLogo("logo").buffer.toString("base64");
  const drawn = await page.request.put(`${shop.url}/pos/shop/logo`, { data: { content } });
  expect(drawn.ok()).toBe(true);

  device.manner = "out-of-paper";
  await page.getByRole("button", { name: "Test Counter" }).click();
  await expect(page.getByText(/out of paper/)).toBeVisible();
  await page.screenshot({ path: "artifacts/screens/printing-trouble-en.png" });

  await page.keyboard.press("F9");
  await new SignIn(page).as(CLERK.name, CLERK.pin);
  await new Counter(page).isReady();
  await page.keyboard.type("50251234567");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /26[.,]35/ }).click();
  await page.keyboard.press("Enter");
  await expect(page.getByText(/\d{15}/)).toBeVisible();
  await page.getByRole("button", { name: /^Print receipt/ }).click();
  await expect(page.getByText(/out of paper/)).toBeVisible();

  device.manner = "well";
  await page.getByRole("button", { name: /^Print/ }).click();
  await expect.poll(() => lastPrint().text).toContain("+502 5123 4567");
  await expect(page.getByText(/out of paper/)).toBeHidden();
  expect(lastPrint().text).toContain("Sale 000001");
  expect(lastPrint().text).not.toContain("COPY");
  const [logo] = lastPrint().images;
  expect(logo?.width).toBe(576);
  expect(logo?.height).toBe(96);
  expect(logo?.black).toBeGreaterThan(5_000);
  await device.close();
});
