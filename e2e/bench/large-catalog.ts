import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { CatalogContent } from "../../server/contract/catalog-content.ts";

const ROOT = resolve(import.meta.dirname, "../..");
export const LARGE_CATALOG_OFFERS = 20_000;

export function largeCatalog(offers = LARGE_CATALOG_OFFERS): CatalogContent {
  const file = join(ROOT, "resources/catalog/sandbox.json");
  const sandbox = JSON.parse(readFileSync(file, "utf8")) as CatalogContent;
  const others = sandbox.vouchers.length + sandbox.esim.length + sandbox.billpay.length;
  const topups = Array.from({ length: offers - others }, (_, n) => {
    const offer = sandbox.topups[n % sandbox.topups.length]!;
    return { ...offer, offerId: `${offer.offerId}_${n}` };
  });
  return { ...sandbox, topups };
}

/**
 * Returns the catalog of one of several providers that state the same products at different costs.
 * The provider with the highest number is the cheapest.
 */
export function catalogOfProvider(number: number): CatalogContent {
  const { brands, topups: sandbox } = largeCatalog();
  const copies = new Map<string, number>();
  const topups = Array.from({ length: LARGE_CATALOG_OFFERS }, (_, n) => {
    const offer = sandbox[n % sandbox.length]!;
    const original = offer.offerId.replace(/_\d+$/, "");
    const copy = copies.get(original) ?? 0;
    copies.set(original, copy + 1);
    const fee = 100 - number;
    return {
      ...offer,
      offerId: `${original}_${n}`,
      durationDays: copy,
      cost: { ...offer.cost, fee },
      price: { ...offer.price, fee },
    };
  });
  return { brands, topups, vouchers: [], esim: [], billpay: [], promos: [] };
}
