import { expect, OWNER_PIN, test } from "./fixtures.ts";
import type { Counter } from "./pages/counter.ts";

async function confirmFirst(counter: Counter, number: string): Promise<void> {
  await counter.type(number);
  await counter.press("Enter");
  await expect(counter.page.getByRole("main").getByRole("button", { name: /Q 5\b/ })).toBeVisible();
  await counter.press("1");
  await expect(counter.primary(/Take payment/)).toBeEnabled();
}

test("after a cash payment for four items, a failed item shows its refund, and a single key books the refund", async ({
  counter,
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const number of ["50251234567", "50251234568", "50251234569"]) {
    await confirmFirst(counter, number);
    await counter.press("+");
    await expect(counter.primary(/Go to payment/)).toBeEnabled();
  }
  await confirmFirst(counter, "50251239001");
  await counter.type("50");
  await counter.press("Enter");
  await expect(counter.panel.getByText("Delivered", { exact: true })).toHaveCount(3);
  await expect(counter.panel.getByText("Refund due: Q 5.43")).toBeAttached();
  const book = counter.panel.getByRole("button", { name: /Refund Q 5\.43/ });
  await expect(book).toBeInViewport({ ratio: 1 });
  await expect(counter.panel.getByText(/^Not delivered: \+502 5123 9001/)).toBeInViewport({
    ratio: 1,
  });
  await expect(counter.work.getByText("Q 28.28", { exact: true })).toBeInViewport({ ratio: 1 });
  await page.screenshot({ path: "artifacts/screens/paid-several.png" });
  await counter.press("Alt+g");
  await expect(book).toHaveCount(0);
});

test("a card payment is refunded to the card, and in cash only with an approval", async ({
  counter,
  page,
}) => {
  const book = counter.panel.getByRole("button", { name: /Refund Q 5\.43/ });
  await confirmFirst(counter, "50251239001");
  await counter.type("5");
  await counter.press("c", "Enter");
  await expect(counter.panel.getByText("Q 0.43 in cash · Q 5.00 back to the card")).toBeVisible();
  await counter.press("Alt+g");
  await expect(book).toHaveCount(0);
  await expect(counter.panel.getByText("Refunded: Q 5.43")).toBeVisible();

  await confirmFirst(counter, "50251249001");
  await counter.type("5");
  await counter.press("c", "Enter");
  await counter.panel.getByRole("button", { name: "All in cash" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("textbox", { name: "Rosa’s PIN" })).toBeFocused();
  await page.keyboard.type(OWNER_PIN);
  await page.keyboard.press("Enter");
  await expect(book).toHaveCount(0);
  await expect(counter.panel.getByText("Refunded: Q 5.43")).toBeVisible();
});
