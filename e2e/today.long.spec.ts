import { expect, OWNER_PIN, test } from "./fixtures.ts";
import { account } from "./pages/sign-in.ts";
import { catchPrints } from "./support/browser-prints.ts";

test("today's sales are found by number, with their outcome", async ({ counter, page }) => {
  await counter.sellFirstOffer("50251234567");
  await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
  await counter.sellFirstOffer("50251239002");
  await expect(counter.panel.getByRole("heading", { name: "Not delivered" })).toBeVisible();
  await counter.sellFirstOffer("50251239007");
  await expect(counter.panel.getByRole("heading", { name: /Sending…|Pending/ })).toBeVisible();

  await page.keyboard.press("F6");
  const list = page.getByRole("list", { name: "Sales of today, newest first" });
  await expect(list.getByRole("listitem")).toHaveCount(3);

  await test.step("the status changes automatically", async () => {
    await expect(list.getByRole("listitem").first()).toContainText("Delivered", {
      timeout: 60_000,
    });
    await expect(page.getByText("Q 10.86")).toHaveCount(0);
  });

  await test.step("a sale is found by its number", async () => {
    await page.getByLabel("Search number or sale").fill("9002");
    await expect(list.getByRole("listitem")).toHaveCount(1);
    await expect(list.getByRole("listitem")).toContainText("Not delivered");
  });

  await test.step("a search without results is reported", async () => {
    await page.getByLabel("Search number or sale").fill("777");
    await expect(page.getByText("No sale today matches “777”")).toBeVisible();
  });

  await test.step("the owner sees the totals", async () => {
    for (const key of ["F9", "2", ...OWNER_PIN.split(""), "Enter"]) {
      await page.keyboard.press(key);
      if (key === "F9") await expect(page.getByRole("button", { name: "Rosa" })).toBeVisible();
    }
    await expect(account(page, "Rosa")).toBeVisible();
    await page.keyboard.press("F6");
    await expect(page.getByText("Q 10.86")).toBeVisible();
  });
});

test("a receipt is printed once as the original, then as numbered copies", async ({
  counter,
  page,
}) => {
  const prints = await catchPrints(page);
  await counter.sellFirstOffer("50251234567");
  await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
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
