import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, type ShopProcess, test } from "../fixtures.ts";
import { confirm, openShop, press, tile, typeNumber } from "../support/look-shop.ts";
import { lookAt } from "../support/looks.ts";

const LONG_SHOP = "Abarrotes, Recargas y Giros La Nueva Esquina de Don José";
const LONG_BRAND =
  "Telecomunicaciones Intercontinentales de Centroamérica y del Caribe, S. A. de C. V.";
const LONG_PRODUCT =
  "Paquete ilimitado de fin de semana con redes sociales, llamadas internacionales y datos compartidos";

async function nameAtLength(shop: ShopProcess): Promise<void> {
  const path = join(shop.dataDir, "catalog.json");
  await shop.admin("catalog", "export", path, "--env", "test");
  const catalog = JSON.parse(await readFile(path, "utf8"));
  const brands = new Set(["TIGO", "CEMACO", "EEGSA", "AIRALO"]);
  for (const family of ["brands", "topups", "vouchers", "esim", "billpay"]) {
    for (const record of catalog[family]) {
      if (!brands.has(record.brand)) continue;
      record.brandName = LONG_BRAND;
      if ("shortNotes" in record) record.shortNotes = `${record.shortNotes} ${LONG_PRODUCT}`;
    }
  }
  for (const { brand } of catalog.promos) {
    if (brands.has(brand.brand)) brand.brandName = LONG_BRAND;
  }
  await writeFile(path, JSON.stringify(catalog));
  await shop.admin("catalog", "import", path, "--env", "test");
}

for (const language of ["fr", "ar"] as const) {
  test(`long names, ${language}`, async ({ page, freshShop }) => {
    const look = (name: string) => lookAt(page, `long-${name}-${language}`, { isZoomed: false });
    await openShop(page, freshShop, { language, name: LONG_SHOP });
    await nameAtLength(freshShop);
    await page.reload();
    await expect(page.locator("main input[inputmode=tel]")).toBeVisible();
    await typeNumber(page, "50251234567");
    await look("offers");
    await press(page, "1");
    await expect(confirm(page)).toBeVisible();
    await look("confirm");
    await press(page, "+", "F4");
    await expect(tile(page, 1)).toBeVisible();
    await look("billers");
    await press(page, "F2");
    await expect(tile(page, 1)).toBeVisible();
    await page.keyboard.type("telecom");
    await look("brands");
    await press(page, "Enter");
    await expect(page.locator("main button").filter({ hasText: "Q" }).first()).toBeVisible();
    await look("voucher");
    await press(page, "1");
    await expect(confirm(page)).toBeVisible();
    await look("basket");
    await press(page, "Enter");
    await expect(page.locator("div[data-outcome=DELIVERED]")).toHaveCount(2);
    await look("delivered");
    await press(page, "F6");
    await expect(page.locator("main li").first()).toBeVisible();
    await look("today");
  });
}

for (const [currency, rate, language, cash] of [
  ["LBP", "19753086.24", "ar", "9000000000"],
  ["VND", "226250000", "en", "9000000000"],
  ["XOF", "605", "fr", "20000"],
  ["JPY", "149.5", "en", "10000"],
  ["KWD", "0.3072", "ar", "10.500"],
] as const) {
  test(`money: ${currency}`, async ({ page, freshShop }) => {
    // Checks amounts of ten digits without zoom only, because no real sale is that large.
    const isZoomed = Number(rate) < 1e6;
    const look = (name: string) => lookAt(page, `money-${currency}-${name}`, { isZoomed });
    await openShop(page, freshShop, { language, money: [currency, rate] });
    await typeNumber(page, "50251234567");
    await look("offers");
    await press(page, "6");
    await expect(confirm(page)).toBeVisible();
    await look("confirm");
    await press(page, "+");
    await typeNumber(page, "50251239001");
    await press(page, "8");
    await expect(confirm(page)).toBeVisible();
    // The till would read cash of eight or more digits as a phone number, so the test pays the
    // exact amount.
    if (cash.length < 8) await page.keyboard.type(cash);
    await look("basket");
    await press(page, "Enter");
    await expect(page.locator("div[data-outcome=NOT_DELIVERED]")).toBeVisible();
    await expect(page.locator("div[data-outcome=DELIVERED]")).toBeVisible();
    await look("two-outcomes");
    await press(page, "F6");
    await expect(page.locator("main li").first()).toBeVisible();
    await look("today");
    await press(page, "F7");
    await expect(page.locator("main dl").first()).toBeVisible();
    await look("shift");
    await press(page, "5");
    await expect(page.locator("main aside form")).toBeVisible();
    await page.keyboard.type(cash);
    await look("count");
    await press(page, "Enter");
    await expect(page.locator("main aside form")).toHaveCount(0);
    await look("z");
  });
}
