/** A day at the drawer, from the float to the Z report. */
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { CLERK, expect, OWNER_PIN, setUp, test } from "./fixtures.ts";
import { Counter } from "./pages/counter.ts";
import { Shift } from "./pages/shift.ts";
import { SignIn } from "./pages/sign-in.ts";

const SIZES = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];

async function look(page: Page, name: string): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await page.screenshot({ path: `artifacts/screens/${name}-${size.width}.png` });
  }
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
    .analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
}

test("Rosa opens, sells, pays out and closes with a shortage, by keyboard alone", async ({
  freshShop,
  page,
}) => {
  await setUp(freshShop, { name: "Tienda Sol", language: "en" });
  await page.goto(freshShop.url);
  await new SignIn(page).as("Rosa", OWNER_PIN);
  const counter = new Counter(page);
  const shift = new Shift(page);

  await test.step("the float comes before the first sale, where the sale will be", async () => {
    await expect(page.getByRole("heading", { name: "Open your shift" })).toBeVisible();
    await look(page, "shift-gate");
    await shift.takeOver("200");
    await counter.isReady();
  });

  await test.step("a top-up of Q 5.43 goes into the drawer", async () => {
    await counter.sellFirstOffer("50251234567");
    await expect(counter.panel.getByText("Delivered")).toBeVisible();
  });

  await test.step("milk is paid from the drawer, with its reason", async () => {
    await shift.open();
    await expect(shift.row("Sales (1)")).toContainText("Q 5.43");
    await shift.choose("2", "Take cash for an expense");
    await page.keyboard.type("15");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Milk for the shop");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("list", { name: /Movements/ })).toContainText("Milk for the shop");
    await look(page, "shift-own");
  });

  await test.step("the count is blind, and the report says what is missing", async () => {
    await shift.choose("5", "Close the shift");
    await page.keyboard.type("185.43");
    await expect(page.getByRole("button", { name: "Close with Q 185.43 counted" })).toBeVisible();
    await look(page, "shift-close");
    await page.keyboard.press("Enter");
    await expect(page.getByText("Z report 1")).toBeVisible();
    await expect(page.getByText("Q 5.00 are missing from the drawer.")).toBeVisible();
    await expect(shift.row("Should be in the drawer")).toContainText("Q 190.43");
    await expect(shift.row("Wallet spent")).toContainText("USD");
    await look(page, "shift-z");
  });

  await test.step("the next sale asks for a float again", async () => {
    await page.keyboard.press("F1");
    await expect(page.getByRole("heading", { name: "Open your shift" })).toBeVisible();
  });
});

test("a sale that is being sent keeps a clerk's shift open, until an owner says otherwise", async ({
  counter,
  page,
}) => {
  const shift = new Shift(page);
  await counter.sellFirstOffer("50251239004");
  await expect(counter.panel.locator("[data-outcome=STILL_SENDING]").first()).toBeVisible();
  await shift.open();
  await expect(page.getByText("Should be in the drawer")).toHaveCount(0);
  const taken = page.getByText("Cash taken");
  await expect(taken).toBeVisible();
  await shift.choose("5", "Close the shift");
  await expect(page.getByText("The figures are hidden while you count.")).toBeVisible();
  await expect(taken).toHaveCount(0);
  await page.keyboard.type("5.43");
  await page.keyboard.press("Enter");
  const notice = page.getByRole("alert");
  await expect(notice).toContainText("These sales are still being sent.");
  await expect(notice).toContainText("+502 5123 9004");
  await look(page, "shift-unfinished");

  const closeAnyway = page.getByRole("button", { name: "Close all the same" });
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(closeAnyway).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("F8");
  await expect(page.getByLabel("PIN of Rosa")).toBeFocused();
  await page.keyboard.type(OWNER_PIN);
  await page.keyboard.press("Enter");
  await expect(page.getByText("The drawer is right.")).toBeVisible();
});

test("what customers are still owed is given back before the count, or stands in the report", async ({
  counter,
  page,
}) => {
  const shift = new Shift(page);
  const owed = page.getByRole("list", { name: "Still owed to customers" });
  for (const number of ["50251239001", "50251249001"]) {
    await counter.sellFirstOffer(number);
    await expect(counter.panel.getByText("Not delivered", { exact: true }).first()).toBeVisible();
  }
  await shift.open();
  await shift.choose("5", "Close the shift");
  await expect(owed.getByRole("listitem")).toHaveCount(2);
  await expect(owed).toContainText("Sale 1 · Q 5.43");
  await expect(owed).toContainText("+502 5123 9001");
  await look(page, "shift-owed");
  await page.keyboard.press("Alt+g");
  await expect(owed.getByRole("listitem")).toHaveCount(1);
  await page.keyboard.type("5.43");
  await page.keyboard.press("Enter");
  await expect(page.getByText("The drawer is right.")).toBeVisible();
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
  await page.getByRole("button", { name: `Close for ${CLERK.name}` }).click();
  await expect(page.getByRole("heading", { name: "Close the shift of Ana" })).toBeVisible();
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
