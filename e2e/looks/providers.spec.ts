import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures.ts";
import { openShop } from "../support/look-shop.ts";
import { lookAtOffice, OFFICE_LANGUAGES } from "../support/looks.ts";

const health = { purchases: 100, delivered: 98, p50_ms: 2_100, p95_ms: 9_000, unknown: 0 };
const claro = { providerId: "first", name: "Claro", kind: "gateway", state: "WORKING" };
const cemaco = { ...claro, providerId: "p2", name: "Cemaco" };
const reloadly = { ...claro, providerId: "p3", name: "Reloadly", kind: "reloadly" };
const list = [
  { ...claro, balance: 61_260, products: 1_980, health: { ...health, daysLeft: 2.4 } },
  {
    ...cemaco,
    balance: 30_000,
    products: 24,
    state: "PAUSED",
    health: { ...health, unknown: 3 },
    brands: [
      { ...health, brand: "CLARO", brandName: "Claro", pausedSince: "2026-01-15T09:30:00.000Z" },
      { ...health, brand: "TIGO", brandName: "Tigo", delivered: 90, unknown: 3 },
    ],
  },
  {
    ...reloadly,
    state: "TROUBLED",
    products: 5_310,
    health: { purchases: 0, delivered: 0, unknown: 0 },
  },
].map((one) => ({ baseUrl: "https://gateway.example", brands: [], ...one }));
const shared = [{ brand: "TIGO", brandName: "Tigo", families: ["TOPUP"], countries: ["GT", "HN"] }];
const brands = [
  { brand: "CLARO", brandName: "Claro" },
  { brand: "TIGO", brandName: "Tigo" },
];
const joined = [{ brand: "RLD-88", brandName: "Tigo Guatemala", as: "TIGO", asName: "Tigo" }];
const unclear = [
  {
    brandName: "Tigo",
    family: "TOPUP",
    country: "GT",
    send: { amount: 1_000, currency: "GTQ", currencyDivisor: 100 },
    offers: [
      { offerId: "TIGO_10", providerId: "first", notes: "Q10", cost: 121 },
      { offerId: "A:p2", providerId: "p2", notes: "Q10 prepago", cost: 120 },
      { offerId: "B:p2", providerId: "p2", notes: "Q10 internet", cost: 122, as: "TIGO_10" },
    ],
  },
];
const orders = [
  { providers: [] },
  { brand: "TIGO", brandName: "Tigo", country: "GT", providers: ["p2", "first"] },
];
const costs = [10, 25, 50].map((amount) => ({
  offerId: `TIGO_${amount}`,
  family: "TOPUP",
  country: "GT",
  send: { amount: amount * 100, currency: "GTQ", currencyDivisor: 100 },
  used: "p2",
  costs: [
    { providerId: "first", cost: amount * 12 + 1 },
    { providerId: "p2", cost: amount * 12 },
    { providerId: "p3", cost: amount * 12 + 3 },
  ],
}));

/** Answers for the providers of a shop that sells live through three of them. */
async function standInForProviders(page: Page): Promise<void> {
  const unit = { currency: "USD", currencyDivisor: 100 };
  const providers = { ...unit, list, orders, shared, brands, joined, unclear: 1 };
  await page.route("**/pos/providers", (route) => route.fulfill({ json: providers }));
  await page.route("**/pos/providers/unclear-products", (route) =>
    route.fulfill({ json: { ...unit, list: unclear } }),
  );
  await page.route("**/pos/providers/costs?*", (route) => route.fulfill({ json: { list: costs } }));
  const { providerId, kind } = cemaco;
  const settings = { allowPrivate: false, approvesCatalog: true, hook: "NONE" };
  const connected = { connected: true, baseUrl: "https://gateway.example", ...settings };
  await page.route("**/pos/upstream?*", (route) =>
    route.fulfill({ json: { ...connected, providerId, kind } }),
  );
}

for (const language of OFFICE_LANGUAGES) {
  test(`the providers, ${language}`, async ({ page, freshShop }) => {
    await openShop(page, freshShop, { language });
    await page.goto(`${freshShop.url}/#/office/providers`);
    await expect(page.locator("main h1")).toBeVisible();
    await lookAtOffice(page, `office-providers-none-${language}`);
    await standInForProviders(page);
    await page.reload();
    await page.locator("main select").first().selectOption("TIGO");
    await expect(page.locator("main table")).toHaveCount(2);
    await lookAtOffice(page, `office-providers-${language}`);
    await page.goto(`${freshShop.url}/#/office/providers?provider=p2`);
    await expect(page.locator("main form").first()).toBeVisible();
    await lookAtOffice(page, `office-providers-one-${language}`);
    await page.goto(`${freshShop.url}/#/office/providers?provider=new`);
    await expect(page.locator("main form").first()).toBeVisible();
    await lookAtOffice(page, `office-providers-new-${language}`);
  });
}
