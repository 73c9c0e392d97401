import { readFile } from "node:fs/promises";
import { expect, OWNER_PIN, test } from "./fixtures.ts";
import { expectNoFault } from "./support/faultless.ts";

test("a brand is hidden from the counter and shown again, and an offer is pinned", async ({
  counter,
  page,
  shop,
  signIn,
}) => {
  await counter.isReady();
  await page.keyboard.press("F9");
  await signIn.as("Rosa", OWNER_PIN);
  await counter.isReady();
  await page.goto(`${shop.url}/#/office/catalog`);
  const found = page.getByRole("main").getByRole("status").last();
  await expect(found).toHaveText(/^[\d,]+ products$/);
  await page.getByRole("searchbox", { name: "Search" }).fill("tigo gt");
  await expect(page).toHaveURL(/text=tigo/);
  await expect(page.getByRole("article").first()).toContainText("Tigo");
  await page.getByRole("searchbox", { name: "Search" }).fill("");
  await page.goto(`${shop.url}/#/office/catalog?family=TOPUP&brand=TIGO&country=GT`);
  await page.getByRole("button", { name: "Hide all" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText(/This hides \d+ products/);
  await expectNoFault(page);
  await dialog.getByRole("button", { name: /Hide \d+ products/ }).click();
  await expect(page.getByText(/\d+ products are hidden/)).toBeVisible();
  await expect(page.getByRole("article").first()).toContainText("Hidden");

  const listed = `${shop.url}/pos/offers?productType=TOPUP&country=GT&brand=TIGO`;
  const sold = async () => (await (await page.request.get(listed)).json()).list;
  expect(await sold()).toEqual([]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("article").first()).toContainText("Active");
  const [, , third] = await sold();

  const row = page.getByRole("article").filter({ hasText: "Top-up" }).nth(2);
  await row.getByRole("button", { name: /Feature/ }).click();
  await expect(row.getByRole("button", { name: /Feature/ })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  expect(third).toBeDefined();

  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoFault(page);
  await page.goto(`${shop.url}/#/office/catalog?view=pins`);
  await expect(page.getByRole("listitem").filter({ hasText: "Tigo" })).toHaveCount(1);
  const [first] = await sold();
  await expect(page.getByRole("main")).toContainText(first.title);
  await expectNoFault(page);
  await page.goto(`${shop.url}/#/office/catalog?view=history`);
  await expect(page.getByRole("main")).toContainText("Undone");
  await expectNoFault(page);
});

test("a catalog is exported, a faulty file is refused with its line numbers, and a changed file is imported and sold", {
  tag: "@thorough",
}, async ({ counter, page, shop, signIn }) => {
  await counter.isReady();
  await page.keyboard.press("F9");
  await signIn.as("Rosa", OWNER_PIN);
  await counter.isReady();
  await page.goto(`${shop.url}/#/office/catalog?view=file`);
  const saving = page.waitForEvent("download");
  await page.getByRole("link", { name: "Save the file" }).click();
  const saved = JSON.parse(await readFile(await (await saving).path(), "utf8"));
  const input = page.locator("input[type=file]");
  const choose = (catalog: object, name: string) =>
    input.setInputFiles({
      name,
      mimeType: "application/json",
      buffer: Buffer.from(JSON.stringify(catalog, null, 1)),
    });

  await choose({ vouchers: [{ ...saved.vouchers[0], country: "xx" }] }, "bad.json");
  await expect(page.getByRole("alert")).toContainText(/^Errors in bad\.json/);
  await expect(page.getByRole("listitem").first()).toContainText(/vouchers\[0\]\.country/);
  await expectNoFault(page);

  await choose({ ...saved, vouchers: saved.vouchers.slice(1) }, "mine.json");
  await expect(page.getByRole("heading", { name: /mine\.json is checked/ })).toBeVisible();
  await expect(page.locator("[data-count=removed] dd")).toHaveText("1");
  await expectNoFault(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoFault(page);
  await page.getByRole("button", { name: "Use these products" }).click();
  await expect(page.getByText("The products of mine.json are sold from now on.")).toBeVisible();
  await page.goto(`${shop.url}/#/office/catalog?text=espagne`);
  await expect(page.getByRole("article").first()).toContainText(/Spain/);
});
