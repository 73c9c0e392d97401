/** Numbers as customers say them: without the code of the shop's own country. */
import type { Page } from "@playwright/test";
import { CLERK, expect, hireClerk, openShift, type ShopProcess, setUp, test } from "./fixtures.ts";
import { Counter } from "./pages/counter.ts";
import { SignIn } from "./pages/sign-in.ts";
import { holdAnswers } from "./support/answers.ts";
import { tile } from "./support/look-shop.ts";

test("a number of the shop's country is sold to without its code: digits and three keys", async ({
  counter,
  page,
  shop,
}) => {
  await test.step("all of it is said before Enter", async () => {
    await counter.type("5123456");
    await expect(page.getByText("Digits are missing")).toBeVisible();
    await expect(counter.number).toHaveValue("5123 456");
    await counter.type("7");
    await expect(counter.number).toHaveValue("5123 4567");
    await expect(page.getByText("+502 5123 4567 · Guatemala")).toBeVisible();
    await expect(page.getByText("Tigo (detected)")).toBeVisible();
  });

  await test.step("the steps after it are about the whole number", async () => {
    counter.keys = 0;
    await counter.press("Enter");
    await expect(counter.tile(/Q 5\b.*Q 5\.43/s)).toBeVisible();
    await expect(page.getByText("+502 5123 4567")).toBeVisible();
    await counter.press("5");
    const confirm = page.getByRole("region", { name: "Is everything right?" });
    await expect(confirm.getByText("+502 5123 4567")).toBeVisible();
    await counter.press("Enter");
    expect(counter.keys).toBe(3);
    await expect(counter.panel.getByText("Delivered")).toBeVisible();
    expect(await soldTo(shop)).toEqual(["+50251234567"]);
  });

  await test.step("the digits alone find it again", async () => {
    await counter.type("5123");
    await expect(page.getByRole("button", { name: /\+502 5123 4567.*Q 26\.35/s })).toBeVisible();
  });
});

test("a tile's digit changes no number, however late the answers are", async ({
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
  await expect(page.getByText("+502 5123 4567").first()).toBeVisible();
  await counter.press("Escape", "Escape");
  await expect(counter.number).toHaveValue("+502 5123 4567");
});

test("what begins with the shop's own code may be unfinished: the clerk is asked", async ({
  counter,
  page,
}) => {
  await counter.type("50259874");
  await expect(page.getByText("Digits are missing, or it is:")).toBeVisible();
  await expect(page.getByText("+502 5025 9874")).toBeVisible();
  await counter.press("Enter");
  await expect(page.getByRole("region", { name: "Which number is it?" })).toBeVisible();
  await counter.press("Enter", "Escape");
  await counter.type("123");
  await expect(counter.number).toHaveValue("502 5987 4123");
  await expect(page.getByText("Tigo (detected)")).toBeVisible();
});

/** Alabama's area code and Singapore's country code. */
const EITHER = "6592345678";

test("digits that are a number of two countries are asked about once", async ({
  page,
  freshShop,
}) => {
  const counter = await openInNewYork(page, freshShop);
  const question = page.getByRole("region", { name: "Which number is it?" });

  await test.step("both are said, and no key that was typed blindly takes one", async () => {
    const answerPhone = await holdAnswers(page, /\/pos\/phone/);
    await page.keyboard.type(`${EITHER}\n1\n`);
    answerPhone();
    await expect(question.getByRole("button", { name: /\+1 659 234 5678/ })).toBeVisible();
    await expect(question.getByRole("button", { name: /\+65 9234 5678/ })).toBeVisible();
    await counter.press("Enter");
    await expect(question).toBeVisible();
  });

  await test.step("one key chooses, and goes on", async () => {
    await counter.press("2");
    await expect(page.getByText("+65 9234 5678")).toBeVisible();
    await expect(page.getByText(/Singapore/)).toBeVisible();
    await expect(page.getByRole("region", { name: "What would they like?" })).toBeVisible();
    await expect(tile(page, 1)).toBeVisible();
    await counter.press("1");
    await expect(counter.primary(/Take payment/)).toBeEnabled();
    await counter.press("Enter");
    await expect(counter.panel.getByText("Delivered")).toBeVisible();
    expect(await soldTo(freshShop)).toEqual(["+6592345678"]);
  });

  await test.step("the next time it is the one that was sold to, and the other can be had", async () => {
    await counter.type(EITHER);
    await expect(counter.number).toHaveValue("65 9234 5678");
    await expect(page.getByText("Sold to this number before")).toBeVisible();
    await page.keyboard.press("Alt+c");
    await expect(question).toBeVisible();
    await counter.press("1");
    await expect(page.getByText("+1 659 234 5678")).toBeVisible();
    await expect(question).toBeHidden();
  });
});

test("a plus says that the number is international, wherever it is typed", async ({
  page,
  freshShop,
}) => {
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

/** A shop that takes dollars, with Ana at its till. */
async function openInNewYork(page: Page, shop: ShopProcess): Promise<Counter> {
  await setUp(shop, { name: "Corner Shop", language: "en", money: ["USD", "1"] });
  await shop.admin("settings", "set", "--time-zone", "America/New_York");
  await hireClerk(shop);
  await openShift(shop, CLERK.name, CLERK.pin);
  await page.goto(shop.url);
  await new SignIn(page).as(CLERK.name, CLERK.pin);
  const counter = new Counter(page);
  await counter.isReady();
  return counter;
}

async function soldTo(shop: ShopProcess): Promise<unknown[]> {
  const { list } = await shop.v1("/topups/purchases?_limit=10&_offset=0");
  return (list as { recipientPhoneNumber: string }[]).map((one) => one.recipientPhoneNumber);
}
