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
