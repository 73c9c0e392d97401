import { CLERK, expect, OWNER_PIN, test } from "./fixtures.ts";
import { Counter } from "./pages/counter.ts";
import { Shift } from "./pages/shift.ts";
import { look } from "./support/faultless.ts";

test("a sale that is being sent keeps a clerk's shift open, unless an owner permits the close", async ({
  counter,
  page,
}) => {
  const shift = new Shift(page);
  await counter.sellFirstOffer("50251239004");
  await expect(counter.panel.locator("[data-outcome=STILL_SENDING]").first()).toBeVisible();
  await shift.open();
  await expect(page.getByText("Expected cash")).toHaveCount(0);
  await expect(page.getByText("Cash taken")).toHaveCount(0);
  await expect(shift.row("Sales")).toContainText("1");
  await shift.choose("5", "Close shift");
  await expect(page.getByText("Blind count")).toBeVisible();
  await page.keyboard.type("5.43");
  await page.keyboard.press("Enter");
  const notice = page.getByRole("alert");
  await expect(notice).toContainText("You have pending sales.");
  await expect(notice).toContainText("+502 5123 9004");
  await look(page, "shift-unfinished");

  const closeAnyway = page.getByRole("button", { name: "Close anyway" });
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(closeAnyway).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("F8");
  await expect(page.getByLabel("Rosa’s PIN")).toBeFocused();
  await page.keyboard.type(OWNER_PIN);
  await page.keyboard.press("Enter");
  await expect(page.getByText("The drawer balances.")).toBeVisible();
});

test("an amount without its decimal point causes a question, which a second Enter does not confirm", async ({
  counter,
  page,
}) => {
  const shift = new Shift(page);
  await counter.isReady();
  await shift.open();
  await shift.choose("5", "Close shift");
  await page.keyboard.type("50000");
  await page.keyboard.press("Enter");
  const notice = page.getByRole("alert");
  await expect(notice).toContainText("That is far more than this drawer can hold.");
  await page.keyboard.press("Enter");
  await expect(notice).toContainText("The shift is still open.");
  await expect(page.getByRole("button", { name: "Yes, Q 50,000.00 is correct" })).toBeVisible();
  await look(page, "shift-unlikely");
  for (let digit = 0; digit < 5; digit++) await page.keyboard.press("Backspace");
  await page.keyboard.type("500");
  await expect(notice).toHaveCount(0);
  await page.keyboard.press("Enter");
  await expect(page.getByText("Z report 1")).toBeVisible();
});

test("owed refunds are paid before the count, or listed in the report", async ({
  counter,
  page,
}) => {
  const shift = new Shift(page);
  const owed = page.getByRole("list", { name: "Refunds due" });
  for (const number of ["50251239001", "50251249001"]) {
    await counter.sellFirstOffer(number);
    await expect(counter.panel.getByText("Not delivered", { exact: true }).first()).toBeVisible();
  }
  await shift.open();
  await shift.choose("5", "Close shift");
  await expect(owed.getByRole("listitem")).toHaveCount(2);
  await expect(owed).toContainText("Sale 1 · Q 5.43");
  await expect(owed).toContainText("+502 5123 9001");
  await look(page, "shift-owed");
  await page.keyboard.press("Alt+g");
  await expect(owed.getByRole("listitem")).toHaveCount(1);
  await page.keyboard.type("5.43");
  await page.keyboard.press("Enter");
  await expect(page.getByText("The drawer balances.")).toBeVisible();
  await expect(shift.row("Sale 2")).toContainText("Q 5.43");
});

test("the owner closes a drawer that Ana forgot, without a count, and prints the report", async ({
  shop,
  signIn,
  page,
}) => {
  await page.addInitScript(() => {
    const printed: string[] = [];
    Object.assign(globalThis, { printed });
    globalThis.print = () => {
      printed.push(document.querySelector("[data-print-sheet]")?.textContent ?? "nothing");
      globalThis.dispatchEvent(new Event("afterprint"));
    };
  });
  await page.goto(shop.url);
  await signIn.as("Rosa", OWNER_PIN);
  await new Counter(page).isReady();
  await new Shift(page).open();
  await page.getByText("Open shifts").click();
  await page.getByRole("button", { name: `Close ${CLERK.name}’s shift` }).click();
  await expect(page.getByRole("heading", { name: "Close Ana’s shift" })).toBeVisible();
  await look(page, "shift-force-close");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Closed by Rosa, not by Ana")).toBeVisible();
  await expect(page.getByText("The drawer was not counted.")).toBeVisible();
  await page.getByText("Z reports").click();
  await expect(page.getByRole("list", { name: "Z reports, newest first" })).toContainText("Ana");
  await look(page, "shift-reports");
  for (let time = 1; time <= 2; time++) {
    await page.getByRole("button", { name: "Print", exact: true }).click();
    await expect
      .poll(() =>
        page.evaluate(() => (globalThis as unknown as { printed: string[] }).printed.length),
      )
      .toBe(time);
  }
  const [original, copy] = await page.evaluate(
    () => (globalThis as unknown as { printed: string[] }).printed,
  );
  expect(original).toContain("Z report 1");
  expect(original).not.toContain("COPY");
  expect(copy).toContain("COPY 1");
});
