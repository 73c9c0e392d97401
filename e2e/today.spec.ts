/** The day so far, live; and a receipt once more. */
import { expect, test } from "./fixtures.ts";
import { catchPrints } from "./support/browser-prints.ts";

test("today's sales with what they came to, found by number", async ({ counter, page }) => {
  await counter.sellFirstOffer("50251234567");
  await expect(counter.panel.getByText("Delivered")).toBeVisible();
  await counter.sellFirstOffer("50251239002");
  await expect(counter.panel.getByText("Not delivered", { exact: true })).toBeVisible();
  await counter.sellFirstOffer("50251239007");
  await expect(counter.panel.getByText(/Paid, sending|Still being sent/)).toBeVisible();

  await page.keyboard.press("F6");
  const list = page.getByRole("list", { name: "Sales of today, newest first" });
  await expect(list.getByRole("listitem")).toHaveCount(3);

  await test.step("the status changes by itself", async () => {
    await expect(list.getByRole("listitem").first()).toContainText("Delivered", {
      timeout: 60_000,
    });
    await expect(page.getByText("Q 10.86")).toBeVisible();
  });

  await test.step("a sale is found by its number", async () => {
    await page.getByLabel("Find a number or a sale").fill("9002");
    await expect(list.getByRole("listitem")).toHaveCount(1);
    await expect(list.getByRole("listitem")).toContainText("Not delivered");
    await expect(page.getByText("Q 10.86")).toBeVisible();
  });

  await test.step("what the gateway does not find is said to be nowhere", async () => {
    await page.getByLabel("Find a number or a sale").fill("777");
    await expect(page.getByText("No sale of today fits “777”")).toBeVisible();
  });
});

test("what is still owed to an earlier customer is booked at the counter, or in Today, with Alt+G", async ({
  counter,
  page,
}) => {
  for (const [index, number] of ["50251239001", "50251239002"].entries()) {
    await counter.sellFirstOffer(number);
    await expect(counter.panel.getByRole("heading", { name: `Sale ${index + 1}` })).toBeVisible();
    await expect(counter.panel.getByText("Give back Q 5.43")).toBeVisible();
  }
  await counter.sellFirstOffer("50251234567");
  await expect(counter.panel.getByText("Delivered", { exact: true })).toBeVisible();
  const owed = counter.panel.getByRole("button", { name: /^Q 5.43 given back/ });
  await expect(owed).toHaveCount(2);

  await test.step("at the counter, where the newest of them has the key", async () => {
    await counter.press("Alt+g");
    await expect(owed).toHaveCount(1);
  });

  await test.step("in Today, for the sale that is chosen", async () => {
    await counter.press("F6");
    const details = page.getByRole("complementary", { name: "Details of the sale" });
    await expect(details.getByText("Delivered", { exact: true })).toBeVisible();
    await counter.press("Alt+g");
    await page.getByRole("button", { name: /5123 9001/ }).click();
    await expect(details.getByRole("button", { name: /^Q 5.43 given back/ })).toBeVisible();
    await counter.press("Alt+g");
    await expect(details.getByText("Given back: Q 5.43")).toBeVisible();
    await expect(details.getByRole("button", { name: /given back/ })).toHaveCount(0);
    await expect(page.getByText("To give back", { exact: true }).locator("..")).toContainText(
      "Q 0.00",
    );
  });
});

test("the last receipt is printed again with one key at the counter, and with two from anywhere", async ({
  counter,
  page,
}) => {
  const prints = await catchPrints(page);
  await counter.sellFirstOffer("50251234567");
  await expect(counter.panel.getByText("Delivered")).toBeVisible();
  await counter.press("p");
  await expect(counter.panel.getByText("Printed 1 time")).toBeVisible();

  await test.step("at the counter: P", async () => {
    counter.keys = 0;
    await counter.press("p");
    expect(counter.keys).toBe(1);
    await expect(counter.panel.getByText("Printed 2 times")).toBeVisible();
  });

  await test.step("while the next customer is served, from Today: F6, P", async () => {
    await counter.type("5025");
    counter.keys = 0;
    await counter.press("F6");
    const details = page.getByRole("complementary", { name: "Details of the sale" });
    await expect(details.getByText("Printed 2 times")).toBeVisible();
    await counter.press("p");
    expect(counter.keys).toBe(2);
    await expect(details.getByText("Printed 3 times")).toBeVisible();
  });

  await test.step("each is marked and numbered", async () => {
    const [original, ...copies] = await prints();
    expect(original).not.toContain("COPY");
    expect(copies.map((copy) => /COPY \d/.exec(copy)?.[0])).toEqual(["COPY 1", "COPY 2"]);
  });
});

test("a receipt is printed once as the original, then as numbered copies", async ({
  counter,
  page,
}) => {
  const prints = await catchPrints(page);
  await counter.sellFirstOffer("50251234567");
  await expect(counter.panel.getByText("Delivered")).toBeVisible();
  await page.keyboard.press("p");
  await expect(counter.panel.getByText("Printed 1 time")).toBeVisible();
  await page.keyboard.press("p");
  await expect(counter.panel.getByText("Printed 2 times")).toBeVisible();
  const [original, copy] = await prints();
  for (const receipt of [original, copy]) {
    expect(receipt).toContain("Tienda Sol");
    expect(receipt).toContain("+502 5123 4567");
    expect(receipt).toMatch(/Confirmation\s*\d{15}/);
  }
  expect(original).not.toContain("COPY");
  expect(copy).toContain("COPY 1");
});
