import { expect, test } from "./fixtures.ts";

test("the till sells no eSIM for a phone without an EID", async ({ counter, page, shop }) => {
  await counter.press("F3");
  await counter.type("spa");
  await expect(counter.primary(/Continue with Spain/)).toBeEnabled();
  await counter.press("Enter");
  await expect(counter.tile(/1 GB, 7 days/).first()).toBeVisible();

  await test.step("one key narrows the plans by data, another by days", async () => {
    await counter.press("d");
    await expect(counter.tile(/30 days/)).toHaveCount(0);
    await counter.press("g");
    await expect(counter.tile(/5 GB/)).toHaveCount(0);
  });

  await counter.press("1");
  await expect(page.getByText("*#06#")).toBeVisible();
  await counter.press("n");
  await expect(page.getByRole("alert")).toContainText("This phone doesn’t support eSIM");
  await counter.press("Enter");
  await expect(page.getByRole("region", { name: "Confirm with the customer" })).toHaveCount(0);
  expect((await shop.v1("/esim/purchases?_limit=1&_offset=0")).total).toBe(0);
});
