import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { expectNoFault } from "./support/faultless.ts";
import { asOwner } from "./support/owner-session.ts";

test("the customer refuses a wrong number and confirms the right number; the clerk can continue alone", async ({
  page,
  counter,
  shop,
  context,
  request,
}) => {
  await asOwner(request, shop);
  const settings = await (await request.get(`${shop.url}/pos/settings`)).json();
  const data = { ...settings, confirmNumber: "ALWAYS" };
  expect((await request.put(`${shop.url}/pos/settings`, { data })).ok()).toBe(true);

  await counter.openFromAccount("Customer display");
  await page.getByRole("button", { name: "Turn on" }).click();
  const code = (await page.getByRole("status", { name: "Code" }).textContent()) ?? "";
  await page.getByRole("button", { name: "Close" }).click();
  const display = await context.newPage();
  await display.setViewportSize({ width: 1024, height: 768 });
  await display.goto(`${shop.url}/display#${code.replaceAll(" ", "")}`);
  await expect(display.getByRole("heading", { name: "Tienda Sol" })).toBeVisible();
  await page.bringToFront();

  const begin = async (number: string) => {
    await counter.type(number);
    await counter.press("Enter");
    await expect(counter.tile(/Q 10\b/).first()).toBeVisible();
    await counter.press("2");
  };

  await test.step("the sale waits, and no key pays during the wait", async () => {
    await begin("50251234568");
    await expect(display.getByRole("heading", { name: "Is this your number?" })).toBeVisible();
    await expect(display.getByText("+502 5123 4568")).toBeVisible();
    await expect(page.getByText(/asked on the display whether \+502 5123 4568/)).toBeVisible();
    await counter.press("Enter", "Enter");
    await expect(counter.primary(/Waiting for the customer/)).toBeDisabled();
    await expectNoFault(display);
    await picture(display, "number-question");
    await page.screenshot({ path: "artifacts/screens/number-ask-till.png" });
  });

  await test.step("a refusal leads back to the number, and is reported", async () => {
    await display.getByRole("button", { name: "No", exact: true }).click();
    await expect(page.getByText(/says that this number is not theirs/)).toBeVisible();
    await expect(counter.number).toHaveValue(/5123 4568/);
    await expect(display.getByText("+502 5123 4568")).toBeHidden();
    await expect(counter.primary(/Choose an amount/)).toBeEnabled();
    await page.screenshot({ path: "artifacts/screens/number-refused-till.png" });
    await counter.press("Escape");
  });

  await test.step("a confirmation continues, and the sale records it", async () => {
    await begin("50251234567");
    await expect(display.getByText("+502 5123 4567")).toBeVisible();
    await display.getByRole("button", { name: "Yes, that is my number" }).click();
    await expect(counter.primary(/Take payment/)).toBeEnabled();
    await expect(display.getByText("Please check that this is right")).toBeVisible();
    await counter.press("Enter");
    await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
  });

  await test.step("without a screen that shows the number, the clerk continues alone", async () => {
    await display.close();
    await begin("50251234569");
    await expect(page.getByText(/no customer display shows it/)).toBeVisible();
    await counter.press("F8");
    await expect(counter.primary(/Take payment/)).toBeEnabled();
    await counter.press("Enter");
    await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
  });

  const checks = async () => {
    const { list } = await (await request.get(`${shop.url}/pos/sales?limit=10&offset=0`)).json();
    return list.map((sale: { lines: { numberCheck?: string }[] }) =>
      sale.lines.map(({ numberCheck }) => numberCheck),
    );
  };
  await expect.poll(checks).toEqual([["CLERK"], ["CUSTOMER"]]);
});

async function picture(display: Page, name: string): Promise<void> {
  for (const [width, height] of [
    [1024, 768],
    [390, 844],
  ] as const) {
    await display.setViewportSize({ width, height });
    await expect(display.getByRole("button", { name: "No", exact: true })).toBeInViewport();
    await display.screenshot({ path: `artifacts/screens/${name}-${width}.png` });
  }
}
