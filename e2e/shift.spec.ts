import { expect, OWNER_PIN, setUp, test } from "./fixtures.ts";
import { Counter } from "./pages/counter.ts";
import { Shift } from "./pages/shift.ts";
import { SignIn } from "./pages/sign-in.ts";
import { look } from "./support/faultless.ts";

test("Rosa opens, sells, pays out and closes with a shortage, by keyboard alone", async ({
  freshShop,
  page,
}) => {
  await setUp(freshShop, { name: "Tienda Sol", language: "en" });
  await page.goto(freshShop.url);
  await new SignIn(page).as("Rosa", OWNER_PIN);
  const counter = new Counter(page);
  const shift = new Shift(page);

  await test.step("the till asks for the float before the first sale", async () => {
    await expect(page.getByRole("heading", { name: "Open shift" })).toBeVisible();
    await look(page, "shift-gate");
    await shift.takeOver("200");
    await counter.isReady();
  });

  await test.step("a top-up of Q 5.43 goes into the drawer", async () => {
    await counter.sellFirstOffer("50251234567");
    await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
  });

  await test.step("Rosa pays milk from the drawer, with the reason", async () => {
    await shift.open();
    await expect(shift.row("Sales (1)")).toContainText("Q 5.43");
    await page.getByText("Open shifts", { exact: true }).click();
    await page.getByText("My shift", { exact: true }).click();
    // A phone number typed on this screen is neither a choice nor an amount.
    await page.keyboard.type("51000060");
    await expect(page.getByRole("heading", { name: "Close shift" })).toHaveCount(0);
    await shift.choose("2", "Take cash for an expense");
    await page.keyboard.type("15");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Milk for the shop");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("list", { name: /Movements/ })).toContainText("Milk for the shop");
    await look(page, "shift-own");
  });

  await test.step("the count is blind, and the report states the shortage", async () => {
    await shift.choose("5", "Close shift");
    await page.keyboard.type("185.43");
    await expect(page.getByRole("button", { name: "Close with Q 185.43 counted" })).toBeVisible();
    await look(page, "shift-close");
    await page.keyboard.press("Enter");
    await expect(page.getByText("Z report 1")).toBeVisible();
    await expect(page.getByText("The drawer is Q 5.00 short.")).toBeVisible();
    await expect(shift.row("Expected cash")).toContainText("Q 190.43");
    await expect(shift.row("Wallet spent")).toContainText("USD");
    await look(page, "shift-z");
  });

  await test.step("the next sale asks for a float again", async () => {
    await page.keyboard.press("F1");
    await expect(page.getByRole("heading", { name: "Open shift" })).toBeVisible();
  });
});
