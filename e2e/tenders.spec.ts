import type { ShopTenders } from "../server/contract/pos/shop-tenders.ts";
import { expect, OWNER_PIN, test } from "./fixtures.ts";
import { Counter } from "./pages/counter.ts";
import { Shift } from "./pages/shift.ts";
import { look } from "./support/faultless.ts";

function toSave(list: ShopTenders["list"]) {
  return list.map((tender) => {
    const { used: _, ...facts } = tender;
    return facts;
  });
}

test.beforeEach(async ({ page, shop, signIn }) => {
  await signIn.as("Rosa", OWNER_PIN);
  await new Counter(page).isReady();
  await page.goto(`${shop.url}/#/office/settings`);
  await page.getByRole("button", { name: "Payment methods" }).click();
});

test("an added tender is chosen by its key, and appears on the receipt and in the report", async ({
  page,
  shop,
}) => {
  await page.getByRole("button", { name: "Add a payment method" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Enter a name of at most 40 characters.")).toBeVisible();
  await page.getByRole("textbox", { name: "Name: New payment method" }).fill("Bizum");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved.").first()).toBeVisible();
  await look(page, "settings-tenders");

  await page.goto(`${shop.url}/#/`);
  const counter = new Counter(page);
  await counter.isReady();
  await counter.type("50251234567");
  await counter.press("Enter", "1");
  await expect(page.getByRole("button", { name: "Bizum", exact: true })).toBeVisible();
  await look(page, "counter-tenders");
  await counter.press("b", "Enter");
  await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
  await expect(counter.panel.getByText("Bizum")).toBeVisible();

  const shift = new Shift(page);
  await shift.open();
  await expect(shift.row("Bizum (1)")).toBeVisible();
  await page.goto(`${shop.url}/#/office/reports?view=money`);
  await expect(page.getByText("Payments: Bizum")).toBeVisible();
});

test("a tender that was retired during a sale is refused with a message, and another tender can be used", {
  tag: "@thorough",
}, async ({ page, shop }) => {
  await page.getByRole("button", { name: "Add a payment method" }).click();
  await page.getByRole("textbox", { name: "Name: New payment method" }).fill("Bizum");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved.").first()).toBeVisible();
  await page.goto(`${shop.url}/#/`);
  const counter = new Counter(page);
  await counter.isReady();
  await counter.type("50251234567");
  await counter.press("Enter", "1");
  await expect(page.getByRole("button", { name: "Bizum", exact: true })).toBeVisible();
  await counter.press("b");
  const tenders = `${shop.url}/pos/tenders`;
  const { revision, list } = await (await page.request.get(tenders)).json();
  const retired = toSave(list).map((tender) => ({ ...tender, offered: tender.name !== "Bizum" }));
  const saved = await page.request.put(tenders, { data: { base: revision, list: retired } });
  expect(saved.ok()).toBe(true);
  await expect(page.getByRole("button", { name: "Bizum", exact: true })).toHaveCount(0);
  await counter.press("Enter");
  await expect(page.getByText("The shop no longer takes this payment method.")).toBeVisible();
  await look(page, "counter-tender-retired");
  await page.getByRole("button", { name: "Remove payment: Bizum" }).click();
  await counter.press("c", "Enter");
  await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
  await expect(counter.panel.getByText("Card", { exact: true })).toBeVisible();
});

test("the later of two simultaneous changes of tenders is refused with a message, and the current list appears", {
  tag: "@thorough",
}, async ({ page, shop }) => {
  await page.getByRole("textbox", { name: "Name: Card" }).fill("Visa terminal");
  const tenders = `${shop.url}/pos/tenders`;
  const { revision, list } = await (await page.request.get(tenders)).json();
  const other = toSave(list).map((tender) =>
    tender.tenderId === "OTHER" ? { ...tender, name: "Cheque" } : tender,
  );
  await page.request.put(tenders, { data: { base: revision, list: other } });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("The payment methods changed in the meantime.")).toBeVisible();
  await page.getByRole("button", { name: "Show the current ones" }).click();
  await expect(page.getByRole("textbox", { name: "Name: Cheque" })).toHaveValue("Cheque");
  await expect(page.getByRole("textbox", { name: "Name: Card" })).toHaveValue("");
});

test("cash change stays visible with any number of tenders, and each tender has a key, even in Arabic", {
  tag: "@thorough",
}, async ({ page, shop }) => {
  const tenders = `${shop.url}/pos/tenders`;
  const { revision, list } = await (await page.request.get(tenders)).json();
  const names = ["Visa", "Bizum", "M-Pesa", "بطاقة المدرسة", "Cheque"];
  const more = names.map((name) => ({ name, kind: "CARD", opensDrawer: false, offered: true }));
  const data = { base: revision, list: [...toSave(list), ...more] };
  expect((await page.request.put(tenders, { data })).ok()).toBe(true);
  await page.goto(`${shop.url}/#/`);
  const counter = new Counter(page);
  await counter.isReady();
  await counter.type("50251234567");
  await counter.press("Enter", "1");
  const last = page.getByRole("button", { name: "Cheque", exact: true });
  await expect(last).toBeAttached();
  await expect(page.getByText("Change", { exact: true })).toBeInViewport();
  await look(page, "counter-many-tenders");
  await counter.press("m");
  await expect(page.getByRole("button", { name: "Remove payment: M-Pesa" })).toBeVisible();
  await page.evaluate(() => localStorage.setItem("tillgate.language", "ar"));
  await page.goto(`${shop.url}/#/office/settings?view=tenders`);
  await page.reload();
  await expect(page.getByRole("heading", { name: "طرق الدفع" })).toBeVisible();
  await look(page, "settings-tenders-ar");
});
