import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CatalogContent } from "../../../contract/catalog-content.ts";
import { FAMILIES, FAMILY_FACTS } from "../../../contract/pos/families.ts";
import type { Offer } from "../../../contract/v1/offers.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Tx } from "../../../db/database.ts";
import { readJson } from "../../../lib/checked-json.ts";
import { CATALOG_CONTENT, ORDERED } from "./catalog-schema.ts";
import { type CatalogChange, toBrandRow, toOfferRow, toPromoRow } from "./catalog-store.ts";
import { writeCatalogChange } from "./catalog-writer.ts";

export async function readSandboxCatalog(resourcesDir: string): Promise<CatalogContent> {
  const file = join(resourcesDir, "catalog", "sandbox.json");
  return readJson(CATALOG_CONTENT, await readFile(file, "utf8"), file);
}

/** Returns the rows of a new shop's sandbox catalog. */
export async function readSandboxRows(resourcesDir: string): Promise<CatalogChange> {
  const content = await readSandboxCatalog(resourcesDir);
  const offers = FAMILIES.flatMap((family): Offer[] => {
    const { path } = FAMILY_FACTS[family];
    return content[path].map((offer) => ORDERED[path](offer));
  });
  return {
    brands: { put: content.brands.map((one) => toBrandRow(ORDERED.brands(one))), remove: [] },
    offers: { put: offers.map((offer) => toOfferRow(offer)), remove: [] },
    promos: { put: content.promos.map((one) => toPromoRow(ORDERED.promos(one))), remove: [] },
  };
}

export async function loadSandboxCatalog(
  tx: Tx,
  accountId: string,
  change: CatalogChange,
  at: number,
): Promise<void> {
  const scope: Scope = { accountId, environment: "test" };
  await writeCatalogChange(tx, scope, { base: undefined, change, source: "sandbox", at });
}
