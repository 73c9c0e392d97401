import { expect, type ShopProcess, test } from "./fixtures.ts";
import { holdAnswers } from "./support/answers.ts";
import { countedKeys } from "./support/counted-keys.ts";
import { tile } from "./support/look-shop.ts";
import { EITHER, openInNewYork } from "./support/new-york-shop.ts";

test("a sale to a number of the shop's country needs only the digits without country code, and three keys", async ({
  counter,
  page,
  shop,
}) => {
  await test.step("the counter shows the whole number before Enter", async () => {
    await counter.type("5123456");
    await expect(counter.work.getByText("Number too short")).toBeVisible();
    await expect(counter.number).toHaveValue("5123 456");
    await counter.type("7");
    await expect(counter.number).toHaveValue("5123 4567");
    await expect(counter.work.getByText("+502 5123 4567 · Guatemala")).toBeVisible();
    await expect(page.getByText("Tigo · detected")).toBeVisible();
  });

  await test.step("the next steps show the whole number", async () => {
    counter.keys = 0;
    await counter.press("Enter");
    await expect(counter.tile(/Q 5\b.*Q 5\.43/s)).toBeVisible();
    await expect(counter.work.getByText("+502 5123 4567")).toBeVisible();
    await counter.press("5");
    const confirm = page.getByRole("region", { name: "Confirm with the customer" });
    await expect(confirm.getByText("+502 5123 4567")).toBeVisible();
    await counter.press("Enter");
    expect(counter.keys).toBe(countedKeys("Top-up to a new number"));
    await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
    expect(await soldTo(shop)).toEqual(["+50251234567"]);
  });

  await test.step("the digits find the number again", async () => {
    await counter.type("5123");
    await expect(page.getByRole("button", { name: /\+502 5123 4567.*Q 26\.35/s })).toBeVisible();
  });
});

test("digits that are valid numbers of two countries cause a single question", {
  tag: "@thorough",
}, async ({ page, freshShop }) => {
  const counter = await openInNewYork(page, freshShop);
  const question = page.getByRole("region", { name: "Which number is it?" });

  await test.step("the question shows both numbers, and keys typed without looking do not answer it", async () => {
    const answerPhone = await holdAnswers(page, /\/pos\/phone/);
    await page.keyboard.type(`${EITHER}\n1\n`);
    answerPhone();
    await expect(question.getByRole("button", { name: /\+1 659 234 5678/ })).toBeVisible();
    await expect(question.getByRole("button", { name: /\+65 9234 5678/ })).toBeVisible();
    await counter.press("Enter");
    await expect(question).toBeVisible();
  });

  await test.step("a single key chooses a number and continues", async () => {
    await counter.press("Escape");
    await expect(question).toBeHidden();
    counter.keys = 0;
    await counter.press("Enter");
    await expect(question.getByRole("button", { name: /\+65 9234 5678/ })).toBeVisible();
    await counter.press("2");
    await expect(counter.work.getByText("+65 9234 5678")).toBeVisible();
    await expect(page.getByRole("region", { name: "Choose a product" })).toBeVisible();
    await expect(tile(page, 1)).toBeVisible();
    await counter.press("1");
    await expect(page.getByRole("region", { name: "Confirm with the customer" })).toContainText(
      "Singapore",
    );
    await expect(counter.primary(/Take payment/)).toBeEnabled();
    await counter.press("Enter");
    expect(counter.keys).toBe(countedKeys("Top-up to digits that are valid in two countries"));
    await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
    expect(await soldTo(freshShop)).toEqual(["+6592345678"]);
  });

  await test.step("the next time, the number of the last sale is selected, and the clerk can select the other number", async () => {
    await counter.type(EITHER);
    await expect(counter.number).toHaveValue("65 9234 5678");
    await expect(page.getByText("Earlier sales to this number")).toBeVisible();
    await page.keyboard.press("Alt+c");
    await expect(question).toBeVisible();
    await counter.press("1");
    await expect(counter.work.getByText("+1 659 234 5678")).toBeVisible();
    await expect(question).toBeHidden();
  });
});

async function soldTo(shop: ShopProcess): Promise<unknown[]> {
  const { list } = await shop.v1("/topups/purchases?_limit=10&_offset=0");
  return (list as { recipientPhoneNumber: string }[]).map((one) => one.recipientPhoneNumber);
}
