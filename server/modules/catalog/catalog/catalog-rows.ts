import type { Insertable } from "kysely";
import type { Offer } from "../../../contract/v1/offers.ts";
import type { Tx } from "../../../db/database.ts";
import { inScope } from "../../../db/scope-filters.ts";
import type { Tables } from "../../../db/tables.ts";
import type { CatalogBrand, CatalogPromo } from "./catalog-content.ts";
import type { Edition } from "./catalog-store.ts";

type Row<Table extends keyof Tables> = Omit<
  Insertable<Tables[Table]>,
  "account_id" | "environment" | "generation"
>;

/** The tables that hold a catalog, each after what its rows refer to. */
export const CATALOG_TABLES = ["brands", "offers", "promos"] as const;
export type CatalogTable = (typeof CATALOG_TABLES)[number];

/** Rows to be put in the place of those with the same id, or beside the others; and ids to go. */
export interface CatalogChange {
  brands: { put: Row<"brands">[]; remove: string[] };
  offers: { put: Row<"offers">[]; remove: string[] };
  promos: { put: Row<"promos">[]; remove: string[] };
}

export function toBrandRow(brand: CatalogBrand): Row<"brands"> {
  const { brand: code, brandName } = brand;
  return { brand: code, brand_name: brandName, detail_json: JSON.stringify(brand) };
}

export function toOfferRow(offer: Offer): Row<"offers"> {
  return {
    offer_id: offer.offerId,
    product_type: offer.productType,
    brand: offer.brand,
    country: offer.country,
    offer_json: JSON.stringify(offer),
    created_at: Date.parse(offer.createdAt),
    updated_at: Date.parse(offer.updatedAt),
  };
}

export function toPromoRow(promo: CatalogPromo): Row<"promos"> {
  return {
    promo_id: promo.id,
    promo_json: JSON.stringify(promo),
    created_at: Date.parse(promo.createdAt),
  };
}

/** What rows of a generation begin with. */
function keyOf({ accountId, environment, generation }: Edition) {
  return { account_id: accountId, environment, generation };
}

export async function putBrands(tx: Tx, edition: Edition, rows: Row<"brands">[]): Promise<void> {
  const key = keyOf(edition);
  await tx
    .insertInto("brands")
    .values(rows.map((row) => ({ ...key, ...row })))
    .onConflict((clash) =>
      clash.columns(["account_id", "environment", "generation", "brand"]).doUpdateSet((eb) => ({
        brand_name: eb.ref("excluded.brand_name"),
        detail_json: eb.ref("excluded.detail_json"),
      })),
    )
    .execute();
}

export async function putOffers(tx: Tx, edition: Edition, rows: Row<"offers">[]): Promise<void> {
  const key = keyOf(edition);
  await tx
    .insertInto("offers")
    .values(rows.map((row) => ({ ...key, ...row })))
    .onConflict((clash) =>
      clash.columns(["account_id", "environment", "generation", "offer_id"]).doUpdateSet((eb) => ({
        product_type: eb.ref("excluded.product_type"),
        brand: eb.ref("excluded.brand"),
        country: eb.ref("excluded.country"),
        offer_json: eb.ref("excluded.offer_json"),
        created_at: eb.ref("excluded.created_at"),
        updated_at: eb.ref("excluded.updated_at"),
      })),
    )
    .execute();
}

export async function putPromos(tx: Tx, edition: Edition, rows: Row<"promos">[]): Promise<void> {
  const key = keyOf(edition);
  await tx
    .insertInto("promos")
    .values(rows.map((row) => ({ ...key, ...row })))
    .onConflict((clash) =>
      clash.columns(["account_id", "environment", "generation", "promo_id"]).doUpdateSet((eb) => ({
        promo_json: eb.ref("excluded.promo_json"),
        created_at: eb.ref("excluded.created_at"),
      })),
    )
    .execute();
}

export async function removeBrands(tx: Tx, edition: Edition, codes: string[]): Promise<void> {
  await tx
    .deleteFrom("brands")
    .where(inScope(edition))
    .where("generation", "=", edition.generation)
    .where("brand", "in", codes)
    .execute();
}

export async function removeOffers(tx: Tx, edition: Edition, ids: string[]): Promise<void> {
  await tx
    .deleteFrom("offers")
    .where(inScope(edition))
    .where("generation", "=", edition.generation)
    .where("offer_id", "in", ids)
    .execute();
}

export async function removePromos(tx: Tx, edition: Edition, ids: string[]): Promise<void> {
  await tx
    .deleteFrom("promos")
    .where(inScope(edition))
    .where("generation", "=", edition.generation)
    .where("promo_id", "in", ids)
    .execute();
}

export function* chunks<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) {
    yield items.slice(start, start + size);
  }
}
