import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Scope } from "../../db/changes.ts";
import type { Tx } from "../../db/database.ts";
import type { CatalogContent } from "./catalog-content.ts";
import { ORDERED } from "./catalog-schema.ts";
import { toBrandRow, toOfferRow, toPromoRow, writeCatalogChange } from "./catalog-writes.ts";

/** The catalog that ships for the test environment. */
export async function readSandboxCatalog(resourcesDir: string): Promise<CatalogContent> {
  const text = await readFile(join(resourcesDir, "catalog", "sandbox.json"), "utf8");
  return JSON.parse(text) as CatalogContent;
}

/** Begins the test environment of an account with it. */
export async function loadSandboxCatalog(
  tx: Tx,
  accountId: string,
  content: CatalogContent,
  at: number,
): Promise<void> {
  const scope: Scope = { accountId, environment: "test" };
  const offers = [
    ...content.topups.map(ORDERED.topups),
    ...content.vouchers.map(ORDERED.vouchers),
    ...content.esim.map(ORDERED.esim),
    ...content.billpay.map(ORDERED.billpay),
  ];
  const change = {
    brands: { put: content.brands.map(ORDERED.brands).map(toBrandRow), remove: [] },
    offers: { put: offers.map(toOfferRow), remove: [] },
    promos: { put: content.promos.map(ORDERED.promos).map(toPromoRow), remove: [] },
  };
  await writeCatalogChange(tx, scope, { base: undefined, change, source: "sandbox", at });
}
