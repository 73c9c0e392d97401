import { expect, test } from "./fixtures.ts";

test("the next customer's number, typed or pasted on any screen, sells no gift card, eSIM or bill", {
  tag: "@thorough",
}, async ({ counter, page, shop }) => {
  const cards = () => shop.v1("/vouchers/purchases?_limit=10&_offset=0");
  const isTheNumber = async () => {
    await expect(counter.number).toHaveValue("5100 0060");
    await expect(counter.number).toBeFocused();
    await expect(page.getByRole("region", { name: "Confirm with the customer" })).toHaveCount(0);
  };

  await test.step("after a gift card, the counter shows its first step again", async () => {
    await counter.press("F2");
    await expect(counter.tile(/Cemaco/)).toBeVisible();
    await counter.type("cem");
    await counter.press("Enter");
    await expect(counter.tile(/Q ?\d+/).first()).toBeVisible();
    await counter.press("1");
    await expect(counter.primary(/Take payment/)).toBeEnabled();
    await counter.press("Enter");
    await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
    await counter.type("51000060");
    await isTheNumber();
    await expect(page).toHaveURL(/sell=topup/);
  });

  for (const [key, picker] of [
    ["F2", "Gift cards"],
    ["F3", "Choose a destination"],
    ["F4", "Choose a biller"],
  ] as const) {
    await test.step(`a number is typed on the picker of ${key}`, async () => {
      await counter.press(key);
      await expect(page.getByRole("heading", { name: picker })).toBeVisible();
      await counter.type("51000060");
      await isTheNumber();
      await counter.press("Escape", "Escape");
    });
  }

  await test.step("the number is pasted there, with its country code", async () => {
    await counter.press("F2");
    await expect(counter.tile(/Cemaco/)).toBeVisible();
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.setData("text", "+502 5100 0060");
      const paste = { clipboardData: data, bubbles: true, cancelable: true };
      document.activeElement?.dispatchEvent(new ClipboardEvent("paste", paste));
    });
    await expect(counter.number).toHaveValue("+502 5100 0060");
  });

  await test.step("Enter then shows the offers for the number", async () => {
    await counter.press("Enter");
    await expect(counter.tile(/Q 25\b/)).toBeVisible();
    expect((await cards()).total).toBe(1);
  });
});
