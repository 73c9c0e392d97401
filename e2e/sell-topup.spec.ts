import { expect, test } from "./fixtures.ts";
import { holdAnswers } from "./support/answers.ts";
import { countedKeys } from "./support/counted-keys.ts";

test("Ana sells a top-up for cash: digits and three keys", { tag: "@core" }, async ({
  counter,
  shop,
  page,
}) => {
  await test.step("the number shows country and carrier while it is typed", async () => {
    await counter.type("50251234567");
    await expect(counter.number).toHaveValue("502 5123 4567");
    await expect(page.getByRole("main").getByText("Guatemala").last()).toBeVisible();
    await expect(page.getByText("Tigo · detected").first()).toBeVisible();
  });

  await test.step("only offers of that carrier in that country are shown", async () => {
    counter.keys = 0;
    await counter.press("Enter");
    await expect(counter.tile(/Q 5\b.*Q 5\.43/s)).toBeVisible();
    await expect(page.getByText(/Claro/)).toHaveCount(0);
  });

  await test.step("the confirm step describes the sale before the payment", async () => {
    await counter.press("5");
    const confirm = page.getByRole("region", { name: "Confirm with the customer" });
    await expect(confirm.getByText("+502 5123 4567")).toBeVisible();
    await expect(confirm.getByText("Tigo", { exact: true })).toBeVisible();
    await expect(confirm.getByText("Q 25.00")).toBeVisible();
    await expect(confirm.getByText("Q 26.35")).toBeVisible();
    expect(await transactions(shop)).toHaveLength(0);
  });

  await test.step("the third key takes exact cash", async () => {
    await counter.press("Enter");
    expect(counter.keys).toBe(countedKeys("Top-up to a new number"));
    await expect(counter.panel.getByText("Sending…").first()).toBeVisible();
    await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
    await expect(counter.panel.getByText(/Confirmation \d{15}/)).toBeVisible();
    expect((await shop.v1("/balance")).availableBalance).toBe(99_703);
  });

  await test.step("an integrator sees the same sale", async () => {
    const [purchase] = await transactions(shop);
    expect(purchase).toMatchObject({
      status: "DONE",
      offerId: "TIGO_GT_TOPUP_25",
      recipientPhoneNumber: "+50251234567",
      price: 2635,
      priceCurrency: "GTQ",
      send: 2500,
    });
    const single = await shop.v1(`/topups/purchases/${purchase?.transactionId}`);
    expect(single).toEqual(purchase);
  });
});

test("the till calculates the change from the typed amount of cash", { tag: "@thorough" }, async ({
  counter,
  page,
}) => {
  await counter.type("50251234567");
  await counter.press("Enter");
  await expect(counter.tile(/Q 25\b/)).toBeVisible();
  await counter.press("5");
  await expect(counter.primary(/Take payment Q 26\.35/)).toBeVisible();
  await counter.type("100");
  await expect(page.getByText("Q 73.65", { exact: true })).toBeVisible();
  await counter.press("Enter");
  await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
  await expect(counter.panel.getByText("Q 73.65").first()).toBeVisible();
});

test("keys typed without a pause after Enter go to the step that Enter opens", {
  tag: "@thorough",
}, async ({ counter, page, shop }) => {
  await test.step("a digit that chooses a tile does not change the number, even if responses are late", async () => {
    const answerPhone = await holdAnswers(page, /\/pos\/phone/);
    const answerOffers = await holdAnswers(page, /\/pos\/offers/);
    await page.keyboard.type("50251234567\n5\n");
    await expect(counter.number).toHaveValue("502 5123 4567");
    answerPhone();
    await expect(counter.number).toBeHidden();
    answerOffers();
    await expect(counter.primary(/Take payment Q 26\.35/)).toBeEnabled();
  });

  await test.step("an Enter typed without looking takes no money", async () => {
    expect(await transactions(shop)).toHaveLength(0);
    await counter.press("Enter");
    await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
  });

  await test.step("responses that arrive at once change nothing", async () => {
    await page.keyboard.type("50251234568\n5");
    await expect(counter.primary(/Take payment Q 26\.35/)).toBeEnabled();
    await expect(counter.work.getByText("+502 5123 4568").first()).toBeVisible();
    await counter.press("Escape", "Escape", "Escape");
    await expect(counter.number).toHaveValue("");
  });

  await test.step("a number that is too short stays as it was typed", async () => {
    const answerPhone = await holdAnswers(page, /\/pos\/phone/);
    // Types different digits, because the till caches queries about a number.
    await page.keyboard.type("5025987\n45");
    answerPhone();
    await expect(counter.work.getByText("Number too short").first()).toBeVisible();
    await expect(counter.number).toHaveValue("502 5987");
    await counter.type("4");
    await expect(counter.number).toHaveValue("502 5987 4");
  });
});

test("a repeated sale within minutes must be confirmed, and Enter never confirms it", async ({
  counter,
  shop,
  page,
}) => {
  await counter.sellFirstOffer("50251234567");
  await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
  counter.keys = 0;
  await counter.press("ArrowDown", "Enter");
  await expect(page.getByRole("alert")).toContainText(/delivered to this number at .+ \(sale 1\)/);
  await counter.press("Enter", "Enter");
  expect(await transactions(shop)).toHaveLength(1);

  await test.step("a separate key sells the top-up again for a customer who wants two", async () => {
    await expect(counter.primary(/Sell again anyway/)).toBeEnabled();
    await counter.press("F8");
    await expect(counter.panel.getByText("Sale 2", { exact: true })).toBeVisible();
    await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
    expect(await transactions(shop)).toHaveLength(2);
  });
});

test("any amount within the offer's limits can be sold", { tag: "@thorough" }, async ({
  counter,
  page,
}) => {
  await counter.type("50251234567");
  await counter.press("Enter");
  await expect(counter.tile(/Q 5\b/)).toBeVisible();
  await page.getByRole("button", { name: /Other amount/ }).click();
  await counter.type("33.5");
  await expect(counter.primary(/Continue with Q /)).toBeEnabled();
  await counter.press("Enter");
  await expect(counter.primary(/Take payment Q /)).toBeEnabled();
  await counter.press("Enter");
  await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
});

test("a detected carrier can be changed with one key, and the till remembers the change", {
  tag: "@thorough",
}, async ({ counter, page }) => {
  await counter.type("50251234567");
  await expect(page.getByText("Tigo · detected").first()).toBeVisible();
  await page.keyboard.press("Alt+c");
  await page.getByRole("button", { name: /Claro/ }).click();
  await expect(page.getByText("Claro · chosen")).toBeVisible();
  await counter.press("Escape", "Escape");
  await counter.type("50251234567");
  await expect(page.getByText("Claro · remembered")).toBeVisible();
});

async function transactions(shop: { v1(path: string): Promise<Record<string, unknown>> }) {
  const page = await shop.v1("/topups/purchases?_limit=10&_offset=0");
  return page.list as Record<string, unknown>[];
}
