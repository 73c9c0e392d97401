import { expect, test } from "./fixtures.ts";
import { holdAnswers } from "./support/answers.ts";
import { tile } from "./support/look-shop.ts";
import { EITHER, openInNewYork } from "./support/new-york-shop.ts";

test("a digit that chooses a tile does not change the number, even if responses are late", async ({
  counter,
  page,
}) => {
  const answerPhone = await holdAnswers(page, /\/pos\/phone/);
  const answerOffers = await holdAnswers(page, /\/pos\/offers/);
  await page.keyboard.type("51234567\n5\n");
  await expect(counter.number).toHaveValue("5123 4567");
  answerPhone();
  await expect(counter.number).toBeHidden();
  answerOffers();
  await expect(counter.primary(/Take payment Q 26\.35/)).toBeEnabled();
  await expect(counter.work.getByText("+502 5123 4567").first()).toBeVisible();
  await counter.press("Escape", "Escape");
  await expect(counter.number).toHaveValue("+502 5123 4567");
});

test("a number that starts with the shop's country code must be confirmed, because it may be unfinished", async ({
  counter,
  page,
}) => {
  await counter.type("50259874");
  await expect(page.getByText("Did you mean")).toBeVisible();
  await expect(counter.work.getByText("+502 5025 9874")).toBeVisible();
  await counter.press("Enter");
  await expect(page.getByRole("region", { name: "Which number is it?" })).toBeVisible();
  await counter.press("Enter", "Escape");
  await counter.type("123");
  await expect(counter.number).toHaveValue("502 5987 4123");
  await expect(page.getByText("Tigo · detected")).toBeVisible();
});

test("a plus at any position marks the number as international", async ({ page, freshShop }) => {
  const counter = await openInNewYork(page, freshShop);
  await page.keyboard.type(`+${EITHER}`);
  await expect(counter.number).toHaveValue("+65 9234 5678");
  await expect(page.getByText("Singapore").last()).toBeVisible();
  await counter.press("Escape");
  await counter.type(`00${EITHER}`);
  await expect(counter.number).toHaveValue("+65 9234 5678");
  await counter.press("Enter");
  await expect(tile(page, 1)).toBeVisible();
});
