import type { Insertable } from "kysely";
import type { Environment } from "../../contract/common.ts";
import type { Offer } from "../../contract/v1/offers.ts";
import { recordChange, type Scope } from "../../db/changes.ts";
import type { Tx } from "../../db/database.ts";
import { inScope } from "../../db/scope-filters.ts";
import type { Tables } from "../../db/tables.ts";
import type { CatalogBrand, CatalogPromo } from "./catalog-content.ts";
import { findCatalogVersion } from "./catalog-store.ts";

type Row<Table extends keyof Tables> = Omit<
  Insertable<Tables[Table]>,
  "account_id" | "environment"
>;

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

const ROWS_AT_ONCE = 500;

interface CatalogWrite {
  /** The version that the change was worked out from; undefined when there was no catalog. */
  base: number | undefined;
  change: CatalogChange;
  source: string;
  at: number;
}

/**
 * Writes a change as the next version. Brands come before what refers to them, and go after it.
 * @returns the new version; undefined, with nothing written, when another than `base` is current.
 */
export async function writeCatalogChange(
  tx: Tx,
  scope: Scope,
  { base, change, source, at }: CatalogWrite,
): Promise<number | undefined> {
  if ((await findCatalogVersion(tx, scope)) !== base) return undefined;
  const key = { account_id: scope.accountId, environment: scope.environment };
  const version = (base ?? 0) + 1;
  const state = { version, source, updated_at: at };
  await tx
    .insertInto("catalogs")
    .values({ ...key, ...state })
    .onConflict((clash) => clash.columns(["account_id", "environment"]).doUpdateSet(state))
    .execute();
  await putBrands(tx, key, change.brands.put);
  await removeOffers(tx, key, change.offers.remove);
  await putOffers(tx, key, change.offers.put);
  await removePromos(tx, key, change.promos.remove);
  await putPromos(tx, key, change.promos.put);
  await removeBrands(tx, key, change.brands.remove);
  await recordChange(tx, scope, { topic: "catalog", subject: source, at });
  return version;
}

interface Key {
  account_id: string;
  environment: Environment;
}

async function putBrands(tx: Tx, key: Key, rows: Row<"brands">[]): Promise<void> {
  for (const some of chunks(rows)) {
    await tx
      .insertInto("brands")
      .values(some.map((row) => ({ ...key, ...row })))
      .onConflict((clash) =>
        clash.columns(["account_id", "environment", "brand"]).doUpdateSet((eb) => ({
          brand_name: eb.ref("excluded.brand_name"),
          detail_json: eb.ref("excluded.detail_json"),
        })),
      )
      .execute();
  }
}

async function putOffers(tx: Tx, key: Key, rows: Row<"offers">[]): Promise<void> {
  for (const some of chunks(rows)) {
    await tx
      .insertInto("offers")
      .values(some.map((row) => ({ ...key, ...row })))
      .onConflict((clash) =>
        clash.columns(["account_id", "environment", "offer_id"]).doUpdateSet((eb) => ({
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
}

async function putPromos(tx: Tx, key: Key, rows: Row<"promos">[]): Promise<void> {
  for (const some of chunks(rows)) {
    await tx
      .insertInto("promos")
      .values(some.map((row) => ({ ...key, ...row })))
      .onConflict((clash) =>
        clash.columns(["account_id", "environment", "promo_id"]).doUpdateSet((eb) => ({
          promo_json: eb.ref("excluded.promo_json"),
          created_at: eb.ref("excluded.created_at"),
        })),
      )
      .execute();
  }
}

async function removeBrands(tx: Tx, key: Key, codes: string[]): Promise<void> {
  for (const some of chunks(codes)) {
    await tx.deleteFrom("brands").where(inScope(key)).where("brand", "in", some).execute();
  }
}

async function removeOffers(tx: Tx, key: Key, ids: string[]): Promise<void> {
  for (const some of chunks(ids)) {
    await tx.deleteFrom("offers").where(inScope(key)).where("offer_id", "in", some).execute();
  }
}

async function removePromos(tx: Tx, key: Key, ids: string[]): Promise<void> {
  for (const some of chunks(ids)) {
    await tx.deleteFrom("promos").where(inScope(key)).where("promo_id", "in", some).execute();
  }
}

function* chunks<Item>(items: Item[]): Generator<Item[]> {
  for (let start = 0; start < items.length; start += ROWS_AT_ONCE) {
    yield items.slice(start, start + ROWS_AT_ONCE);
  }
}
