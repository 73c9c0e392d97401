import type { Locator, Page } from "@playwright/test";
import { expect, OWNER_PIN, test } from "./fixtures.ts";
import { Counter } from "./pages/counter.ts";
import { SignIn } from "./pages/sign-in.ts";
import { expectNoFault } from "./support/faultless.ts";

const PHONE = { width: 390, height: 844 };
const LAPTOP = { width: 1280, height: 800 };

class Prices {
  readonly page: Page;
  readonly main: Locator;
  readonly dialog: Locator;

  constructor(page: Page) {
    this.page = page;
    this.main = page.getByRole("main");
    this.dialog = page.getByRole("dialog");
  }

  async open(url: string, view = ""): Promise<void> {
    await this.page.goto(`${url}/#/office/prices${view}`);
    await expect(this.main.getByRole("heading", { level: 1, name: "Prices" })).toBeVisible();
  }

  async view(name: string): Promise<void> {
    await this.main.getByRole("button", { name, exact: true }).click();
  }

  async choose(within: Locator, field: string, option: string): Promise<void> {
    await within.getByRole("combobox", { name: field }).click();
    await this.page.getByRole("option", { name: option, exact: true }).click();
  }

  async raiseGiftCards(percent: string): Promise<void> {
    await this.main.getByRole("button", { name: "Add rule" }).click();
    await this.choose(this.dialog, "Product type", "Gift cards");
    await this.dialog.getByRole("textbox", { name: "Percentage (%)" }).fill(percent);
    await this.choose(this.dialog, "Prices", "prices end in .50");
    await this.dialog.getByRole("textbox", { name: "Note" }).fill("A fair margin");
  }

  async look(): Promise<void> {
    await this.main.getByRole("button", { name: "Preview and save" }).click();
    await expect(this.dialog.getByRole("heading", { name: "The largest changes" })).toBeVisible();
  }

  async save(): Promise<void> {
    await this.dialog.getByRole("button", { name: "Save now" }).click();
    await expect(this.dialog).toHaveCount(0);
  }
}

async function priceOnTile(counter: Counter, ending: RegExp): Promise<string> {
  await counter.press("F2");
  await counter.press("c", "e", "m", "Enter");
  const price = counter
    .tile(/Q ?\d+/)
    .first()
    .getByText(ending);
  await expect(price).toBeVisible();
  return (await price.textContent()) ?? "";
}

test("after Rosa raises the margin of gift cards, the counter, the receipt and the price explanation show the new price", async ({
  page,
  shop,
}) => {
  await page.goto(shop.url);
  await new SignIn(page).as("Rosa", OWNER_PIN);
  const rosa = new Prices(page);
  const counter = new Counter(page);
  await counter.isReady();
  const before = await priceOnTile(counter, /\.61$/);

  await test.step("Rosa types a rule into the fields, and reads it as a sentence", async () => {
    await rosa.open(shop.url);
    await expect(rosa.main.getByText("All products use the prices from Defaults.")).toBeVisible();
    await expectNoFault(page);
    await rosa.raiseGiftCards("eight");
    await rosa.dialog.getByRole("button", { name: "Add rule" }).click();
    await expect(rosa.dialog.getByText("A percentage, such as 8 or 2.5")).toBeVisible();
    await rosa.dialog.getByRole("textbox", { name: "Percentage (%)" }).fill("8");
    await expect(rosa.dialog.getByRole("status", { name: "The rule in words" })).toHaveText(
      /^Gift cards: cost plus 8%, prices end in \.50$/,
    );
    await expectNoFault(page);
    await rosa.dialog.getByRole("button", { name: "Add rule" }).click();
  });

  await test.step("Rosa previews the change before she saves it", async () => {
    await rosa.look();
    await expect(rosa.dialog.getByText("Higher")).toBeVisible();
    await expect(rosa.dialog.getByRole("row")).toHaveCount(11);
    await expectNoFault(page);
    await rosa.save();
    await expect(rosa.main.getByRole("button", { name: "Preview and save" })).toHaveCount(0);
  });

  let after = "";
  await test.step("the tile, the confirm step and the receipt have the new price", async () => {
    await page.keyboard.press("F1");
    await counter.isReady();
    after = await priceOnTile(counter, /\.50$/);
    await counter.press("1");
    await expect(page.getByRole("region", { name: "Confirm with the customer" })).toBeVisible();
    await expect(counter.panel).toContainText(after);
  });

  await test.step("a key explains the price to people who may see costs", async () => {
    await counter.press("w");
    await expect(rosa.dialog).toContainText(/Gift cards: cost plus 8%/);
    await expect(rosa.dialog).toContainText("Cost");
    await expectNoFault(page);
    await counter.press("Escape", "Enter");
    await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
    await expect(counter.panel).toContainText(after);
  });

  await test.step("the back office explains the price of a searched offer", async () => {
    await rosa.open(shop.url, "?view=why");
    await rosa.main.getByRole("searchbox", { name: "Product" }).fill("cemaco guatemala 50");
    await rosa.main
      .getByRole("list", { name: "Products found" })
      .getByRole("button")
      .first()
      .click();
    await expect(rosa.main.getByRole("region", { name: "Why this price?" })).toContainText(after);
    await expectNoFault(page);
  });

  await test.step("Rosa previews the previous version and restores it", async () => {
    await rosa.view("Versions");
    await rosa.main.getByRole("button", { name: "View version 1" }).click();
    await expect(rosa.main.getByText("Its rules")).toBeVisible();
    await expectNoFault(page);
    await rosa.main.getByRole("button", { name: "Undo the last change" }).click();
    await expect(rosa.dialog.getByText("Lower")).toBeVisible();
    await rosa.save();
    await expect(rosa.main.getByText("Went back to version 0")).toBeVisible();
    await page.keyboard.press("F1");
    await counter.isReady();
    expect(await priceOnTile(counter, /\.61$/)).toBe(before);
  });
});

test("an owner plans a price change on a phone, and loses no typed text when another owner saves first", {
  tag: "@thorough",
}, async ({ page, shop }) => {
  await page.setViewportSize(LAPTOP);
  await page.goto(shop.url);
  await new SignIn(page).as("Rosa", OWNER_PIN);
  const rosa = new Prices(page);
  await new Counter(page).isReady();
  await page.setViewportSize(PHONE);
  await rosa.open(shop.url);
  await rosa.raiseGiftCards("8");
  await expectNoFault(page);
  await rosa.dialog.getByRole("button", { name: "Add rule" }).click();
  await expectNoFault(page);

  await test.step("another owner saves first: Rosa's text is applied to the other owner's list", async () => {
    const api = `${shop.url}/pos/prices/test`;
    const { list } = await (await page.request.get(api)).json();
    const saved = await page.request.put(api, { data: { list: { ...list, rules: [] }, base: 0 } });
    expect(saved.ok()).toBe(true);
    await rosa.look();
    await rosa.dialog.getByRole("button", { name: "Save now" }).click();
    await expect(
      rosa.dialog.getByText("Another person saved other prices in the meantime."),
    ).toBeVisible();
    await rosa.dialog.getByRole("button", { name: "Apply my changes" }).click();
    await expect(rosa.dialog.getByText(/Gift cards: cost plus 8%/)).toBeVisible();
  });

  await test.step("a change for a later day has no effect until then", async () => {
    await rosa.dialog.getByText("From a date").click();
    await rosa.dialog.getByLabel("First day", { exact: true }).fill("2099-12-01");
    await rosa.dialog.getByRole("textbox", { name: "Note" }).fill("For December");
    await expectNoFault(page);
    await rosa.dialog.getByRole("button", { name: "Save for that date" }).click();
    await expect(rosa.dialog).toHaveCount(0);
    await expect(
      rosa.main.getByText(/You see version 2, which starts on 1 Dec 2099/),
    ).toBeVisible();
    await rosa.view("Versions");
    await expect(rosa.main.getByText("Starts on 1 Dec 2099")).toBeVisible();
    await expect(rosa.main.getByText(/^For December$/)).toBeVisible();
    await expectNoFault(page);
  });

  await test.step("Rosa previews a new rate before she sets it", async () => {
    await rosa.view("Exchange rate");
    await rosa.main.getByRole("textbox", { name: /Today’s rate/ }).fill("7.9");
    await rosa.main.getByRole("button", { name: "Preview", exact: true }).click();
    await expect(rosa.main.getByText("Higher")).toBeVisible();
    await expectNoFault(page);
    await rosa.main.getByRole("button", { name: "Set the rate to 7.9" }).click();
    await expect(rosa.main.getByRole("heading", { name: /7\.9/ })).toBeVisible();
  });

  await test.step("Rosa changes a setting that applies to all prices", async () => {
    await rosa.view("Defaults");
    await rosa.main.getByRole("textbox", { name: /Minimum markup on cost/ }).fill("3");
    await expectNoFault(page);
    await rosa.look();
    await expect(rosa.dialog.getByText("cost plus 3%")).toBeVisible();
  });
});

test("an owner opens, changes and saves the live price list while the tills sell in test", {
  tag: "@thorough",
}, async ({ page, shop, signIn }) => {
  await signIn.as("Rosa", OWNER_PIN);
  await expect(page.getByRole("navigation").first()).toBeVisible();
  const prices = new Prices(page);
  await prices.open(shop.url);
  const whose = prices.main.getByRole("radiogroup", { name: "Prices in" });
  await whose.getByText("Live", { exact: true }).click();
  await expect(prices.main.getByText("Live mode has no products yet")).toBeVisible();
  await expectNoFault(page);
  await prices.raiseGiftCards("9");
  await prices.dialog.getByRole("button", { name: "Add rule" }).click();
  await prices.main.getByRole("button", { name: "Preview and save" }).click();
  await prices.save();
  const read = async (environment: string) =>
    (await (await page.request.get(`${shop.url}/pos/prices/${environment}`)).json()).list.rules;
  const [rule] = await read("live");
  expect(rule).toMatchObject({ target: { family: "VOUCHER" }, percent: "9" });
  expect(JSON.stringify(await read("test"))).not.toContain(rule.ruleId);
  await page.setViewportSize(PHONE);
  await expectNoFault(page);
});

test("an owner raises prices or hides offers from the alert about insufficient prices", {
  tag: "@thorough",
}, async ({ page, shop, signIn }) => {
  await signIn.as("Rosa", OWNER_PIN);
  await expect(page.getByRole("navigation").first()).toBeVisible();
  await setPrices(page, shop.url, ["TIGO_GT_TOPUP_25", "TIGO_GT_TOPUP_50"]);
  const prices = new Prices(page);
  await page.goto(`${shop.url}/#/office/overview`);
  await page
    .getByRole("button", { name: /^Review prices/ })
    .first()
    .click();
  const list = prices.main.getByRole("list", { name: "Not sold" });
  await expect(list.getByRole("listitem")).toHaveCount(2);
  await expectNoFault(page);
  const first = list.getByRole("listitem").first();
  await first.getByRole("button", { name: /^Raise to / }).click();
  await expect(first.getByText(/in your unsaved changes/)).toBeVisible();
  await prices.main.getByRole("button", { name: "Preview and save" }).click();
  await expect(prices.dialog.getByText("Sold again")).toBeVisible();
  await expectNoFault(page);
  await prices.save();
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await list.getByRole("button", { name: "Hide" }).click();
  await expect(
    prices.main.getByText("Every product has a price that covers its cost."),
  ).toBeVisible();
  await prices.main.getByRole("button", { name: "Undo" }).click();
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await page.setViewportSize(PHONE);
  await expectNoFault(page);
});

async function setPrices(page: Page, url: string, offerIds: readonly string[]): Promise<void> {
  const state = await (await page.request.get(`${url}/pos/prices/test`)).json();
  const rules = offerIds.map((offerId) => ({
    ruleId: offerId,
    enabled: true,
    target: { offerId },
    class: "STANDARD",
    channel: "ANY",
    basis: "COST",
    how: "SET",
    amount: 100,
  }));
  const data = {
    list: { ...state.list, rules, floor: { aboveCostPercent: "0" } },
    base: state.newest,
  };
  expect((await page.request.put(`${url}/pos/prices/test`, { data })).status()).toBe(200);
}
