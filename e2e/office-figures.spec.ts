import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { CLERK, expect, OWNER_PIN, test } from "./fixtures.ts";
import { Counter } from "./pages/counter.ts";
import { SignIn } from "./pages/sign-in.ts";
import { expectNoFault } from "./support/faultless.ts";

const PRICE = 543;

test("a sale appears at once in the figures, in their rows, by person and in the exported file", async ({
  browser,
  page,
  shop,
  signIn,
}) => {
  await signIn.as("Rosa", OWNER_PIN);
  const counter = new Counter(page);
  await counter.isReady();
  for (const number of ["50251234567", "50251239001"]) {
    await counter.sellFirstOffer(number);
    await expect(counter.panel.getByRole("heading", { name: /^Sale \d+$/ })).toBeVisible();
    await expect(counter.panel.getByText(/^(Delivered|Not delivered)/).first()).toBeVisible();
  }
  await page.keyboard.press("Alt+b");
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();

  await test.step("a sale of another till appears without a reload", async () => {
    await expect(cardOf(page, "Sold today")).toContainText(moneyOf(1));
    const till = await (await browser.newContext()).newPage();
    await till.goto(shop.url);
    await new SignIn(till).as(CLERK.name, CLERK.pin);
    const other = new Counter(till);
    await other.isReady();
    await other.sellFirstOffer("50251234568");
    await expect(cardOf(page, "Sold today")).toContainText(moneyOf(2));
    await expect(page.getByRole("list", { name: "Needs attention" })).toContainText(
      `Refunds due: ${moneyOf(1)}`,
      { timeout: 90_000 },
    );
    await expectNoFault(page);
    await till.context().close();
  });

  await test.step("the figure leads to its rows, whose sum equals the figure", async () => {
    await cardOf(page, "Sold today").click();
    const rows = page.getByRole("region", { name: "Sold items" });
    await expect(rows.getByRole("row")).toHaveCount(5);
    expect(await sumOfColumn(rows, "Sold")).toBe(2 * PRICE);
    await expect(page.getByText(/^Rows: 4/)).toContainText(`Sold: ${moneyOf(2)}`);
    await expectNoFault(page);
  });

  await test.step("the rows can be exported to a file, and the audit trail names the person who took it", async () => {
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download CSV" }).click();
    const file = await readFile(await (await download).path(), "utf8");
    const amounts = columnOf(file, "sold").map((amount) => Math.round(Number(amount) * 100));
    expect(amounts).toEqual([PRICE, -PRICE, PRICE, PRICE]);
    expect(columnOf(file, "clerk")).toEqual(['"Ana"', '"Rosa"', '"Rosa"', '"Rosa"']);
    const { list } = await (
      await page.request.get(`${shop.url}/pos/audit-trail?limit=5&action=figures.export`)
    ).json();
    expect(list).toMatchObject([{ staff: { name: "Rosa" }, detail: { rows: "LINES" } }]);
  });

  await test.step("a choice of other days shows their rows, and is part of the address", async () => {
    await choose(page, "Period", "Last week");
    await expect(page.getByText("No rows in this period.")).toBeVisible();
    await page.reload();
    await expect(page.getByRole("combobox", { name: "Period" })).toHaveValue("Last week");
  });

  await test.step("figures by person add up to the total", async () => {
    await page.getByRole("main").getByRole("link", { name: "Sales", exact: true }).click();
    await choose(page, "Period", "Today");
    await choose(page, "Group by", "By staff member");
    const people = page.getByRole("region", { name: "Staff member" });
    await expect(people.getByRole("row")).toHaveCount(4);
    expect(await sumOfColumn(people, "Sold")).toBe(2 * PRICE);
    const balanced = `Balanced: Sold ${moneyOf(2)} + refunds due ${moneyOf(1)} + cash rounding ${moneyOf(0)} = payments ${moneyOf(3)} + owed ${moneyOf(0)}.`;
    await expect(page.getByText(balanced)).toBeVisible();
    await expectNoFault(page);
    await people.getByRole("link", { name: "Ana" }).click();
    await expect(page.getByText("Only: Ana")).toBeVisible();
    await expect(page.getByText(/^Rows: 1/)).toContainText(`Sold: ${moneyOf(1)}`);
  });

  await test.step("the money page links to the books", async () => {
    await page.getByRole("link", { name: "Cash and wallet" }).click();
    await expect(page.getByText("Wallet reconciliation: matched")).toBeVisible();
    await expectNoFault(page);
  });
});

test("a phone shows every figure and table", { tag: "@thorough" }, async ({ page, signIn }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn.as("Rosa", OWNER_PIN);
  const counter = new Counter(page);
  await counter.isReady();
  await counter.sellFirstOffer("50251234567");
  await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
  await page.keyboard.press("Alt+b");
  await expect(cardOf(page, "Sold today")).toContainText(moneyOf(1));
  await page.getByText("View as table").first().click();
  await expect(page.getByRole("region", { name: "Sales by hour" })).toBeVisible();
  expect(await isWiderThanScreen(page)).toBe(false);
  await expectNoFault(page);
  await cardOf(page, "Sold today").click();
  await expect(page.getByText(/^Rows: 1/)).toBeVisible();
  expect(await isWiderThanScreen(page)).toBe(false);
  await expectNoFault(page);
});

function cardOf(page: Page, label: string): Locator {
  return page.getByRole("main").getByRole("link", { name: label });
}

function moneyOf(count: number): string {
  return `Q ${((count * PRICE) / 100).toFixed(2)}`;
}

async function choose(page: Page, field: string, option: string): Promise<void> {
  await page.getByRole("combobox", { name: field, exact: true }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
}

async function sumOfColumn(table: Locator, head: string): Promise<number> {
  const heads = await table.getByRole("columnheader").allTextContents();
  const cells = table.locator(`tbody tr > :nth-child(${heads.indexOf(head) + 1})`);
  const texts = await cells.allTextContents();
  return texts.reduce(
    (sum, text) => sum + Math.round(Number(text.replace("−", "-").replace(/[^\d.-]/g, "")) * 100),
    0,
  );
}

function columnOf(file: string, name: string): string[] {
  const [head = "", ...lines] = file.replace("\uFEFF", "").trimEnd().split("\r\n");
  const column = head.split(",").indexOf(`"${name}"`);
  return lines.map((line) => line.split(",")[column] ?? "");
}

function isWiderThanScreen(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
}
