import type { Insertable, Selectable } from "kysely";
import {
  type CatalogBrand,
  type CatalogPromo,
  getSection,
  type Section,
} from "../../../contract/catalog-content.ts";
import { OFFER_SCHEMAS, type Offer } from "../../../contract/v1/offers.ts";
import type { Scope } from "../../../db/changes.ts";
import { intactFlag } from "../../../db/checksums.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inScope } from "../../../db/scope-filters.ts";
import { readColumn } from "../../../db/stored-json.ts";
import type { Tables } from "../../../db/tables.ts";
import { findJson } from "../../../lib/checked-json.ts";
import { pause } from "../../../lib/clock.ts";
import {
  FIRST_PROVIDER,
  findProductId,
  toProviderColumn,
  withSupply,
} from "../../../providers/supply.ts";
import { CATALOG_BRAND, CATALOG_PROMO, ORDERED } from "./catalog-schema.ts";

export type CatalogState = Pick<
  Selectable<Tables["catalogs"]>,
  "version" | "generation" | "source" | "updated_at" | "choices"
>;

/** Returns undefined before the first import. */
export async function findCatalogState(
  db: Db | Tx,
  scope: Scope,
): Promise<CatalogState | undefined> {
  return db
    .selectFrom("catalogs")
    .select(["version", "generation", "source", "updated_at", "choices"])
    .where(inScope(scope))
    .executeTakeFirst();
}

export async function findCatalogVersion(db: Db | Tx, scope: Scope): Promise<number | undefined> {
  return (await findCatalogState(db, scope))?.version;
}

/**
 * Generation that catalog queries read. Rows from several queries are consistent if the catalog's
 * version is still in force after the last query.
 */
export interface Edition extends Scope {
  generation: number;
}

/** Returns the generation in force; before the first import, a generation without rows. */
export async function findEdition(
  db: Db | Tx,
  { accountId, environment }: Scope,
): Promise<{ edition: Edition; version: number | undefined }> {
  const scope = { accountId, environment };
  const state = await findCatalogState(db, scope);
  return { edition: { ...scope, generation: state?.generation ?? 0 }, version: state?.version };
}

interface BrandText {
  brand: string;
  name: string;
  text: string;
  /** 0 if the row's checksum does not match. */
  intact: number;
}

export async function listBrandTexts(db: Db | Tx, edition: Edition): Promise<BrandText[]> {
  const rows = await db
    .selectFrom("brands")
    .select(["brand", "brand_name as name", "detail_json as text", intact("brands")])
    .where(inScope(edition))
    .where("generation", "=", edition.generation)
    .orderBy("brand")
    .execute();
  return rows;
}

interface PromoText {
  promoId: string;
  text: string;
  intact: number;
  /** Null for the first provider. */
  providerId: string | null;
}

export async function listPromoTexts(db: Db | Tx, edition: Edition): Promise<PromoText[]> {
  return db
    .selectFrom("promos")
    .select(["promo_id as promoId", "promo_json as text", "provider_id as providerId"])
    .select(intact("promos"))
    .where(inScope(edition))
    .where("generation", "=", edition.generation)
    .orderBy("promo_id")
    .execute();
}

function intact(table: "brands" | "offers" | "promos") {
  return intactFlag(table).as("intact");
}

const OFFERS_PER_PAGE = 500;

interface OfferText {
  offerId: string;
  productType: Offer["productType"];
  brand: string;
  text: string;
  intact: number;
  /** Null for the first provider. */
  providerId: string | null;
  /** Null if equal to `offerId`. */
  productId: string | null;
}

export async function* listOfferTexts(db: Db | Tx, edition: Edition): AsyncGenerator<OfferText[]> {
  let after = "";
  // The database returns a new string for each row.
  const providerIds = new Map<string, string>();
  for (;;) {
    const page = await db
      .selectFrom("offers")
      .select(["offer_id as offerId", "product_type as productType", "brand", "offer_json as text"])
      .select(["provider_id as providerId", "product_id as productId"])
      .select(intact("offers"))
      .where(inScope(edition))
      .where("generation", "=", edition.generation)
      .where("offer_id", ">", after)
      .orderBy("offer_id")
      .limit(OFFERS_PER_PAGE)
      .execute();
    for (const row of page) {
      if (row.providerId === null) continue;
      const id = providerIds.get(row.providerId) ?? row.providerId;
      providerIds.set(id, id);
      row.providerId = id;
    }
    if (page.length > 0) yield page as OfferText[];
    const last = page.at(-1);
    if (!last || page.length < OFFERS_PER_PAGE) return;
    after = last.offerId;
  }
}

/** Returns the number of offers of a provider. */
export async function countOffers(
  db: Db | Tx,
  { accountId, environment, providerId }: Scope & { providerId: string },
): Promise<number> {
  const { edition } = await findEdition(db, { accountId, environment });
  const { count } = await db
    .selectFrom("offers")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where(inScope(edition))
    .where("generation", "=", edition.generation)
    .where("provider_id", "is not distinct from", toProviderColumn(providerId))
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns the providers that state offers of the brands. */
export async function listBrandProviders(
  db: Db | Tx,
  scope: Scope,
  brands: readonly string[],
): Promise<string[]> {
  const { edition } = await findEdition(db, scope);
  const rows = await db
    .selectFrom("offers")
    .select("provider_id")
    .distinct()
    .where(inScope(edition))
    .where("generation", "=", edition.generation)
    .where("brand", "in", brands)
    .execute();
  return rows.map((row) => row.provider_id ?? FIRST_PROVIDER);
}

export interface StoredCatalog {
  version: number | undefined;
  generation: number;
  brandNames: Map<string, string>;
  brands: Map<string, StoredItem>;
  offers: Map<string, StoredItem>;
  promos: Map<string, StoredItem>;
}

interface StoredItem {
  section: Section;
  brand: string;
  text: string;
  intact: boolean;
  /** Null for the first provider, and for brands. */
  providerId: string | null;
}

/** The catalog may change after this read, so a writing transaction must check `version` again. */
export async function readStoredCatalog(db: Db | Tx, scope: Scope): Promise<StoredCatalog> {
  const { edition, version } = await findEdition(db, scope);
  const brands = await listBrandTexts(db, edition);
  const promos = await listPromoTexts(db, edition);
  const offers = new Map<string, StoredItem>();
  for await (const page of listOfferTexts(db, edition)) {
    for (const { offerId, productType, brand, text, intact, providerId } of page) {
      const section = getSection(productType);
      offers.set(offerId, { section, brand, text, intact: intact === 1, providerId });
    }
    await pause();
  }
  return {
    version,
    generation: edition.generation,
    brandNames: new Map(brands.map(({ brand, name }) => [brand, name])),
    brands: new Map(
      brands.map(({ brand, text, intact }) => [
        brand,
        { section: "brands", brand, text, intact: intact === 1, providerId: null },
      ]),
    ),
    offers,
    promos: new Map(
      promos.map(({ promoId, text, intact, providerId }) => {
        // A damaged row is rewritten even if its brand is unknown.
        const brand = (intact === 1 && findJson(CATALOG_PROMO, text)?.brand.brand) || "";
        return [promoId, { section: "promos", brand, text, intact: intact === 1, providerId }];
      }),
    ),
  };
}

type Row<Table extends keyof Tables> = Omit<
  Insertable<Tables[Table]>,
  "account_id" | "environment" | "generation"
>;

/** In writing order: each table follows the tables that it refers to. */
export const CATALOG_TABLES = ["brands", "offers", "promos"] as const;
export type CatalogTable = (typeof CATALOG_TABLES)[number];

export interface CatalogChange {
  brands: { put: Row<"brands">[]; remove: string[] };
  offers: { put: Row<"offers">[]; remove: string[] };
  promos: { put: Row<"promos">[]; remove: string[] };
}

export function toBrandRow(brand: CatalogBrand): Row<"brands"> {
  const { brand: code, brandName } = brand;
  return { brand: code, brand_name: brandName, detail_json: JSON.stringify(brand) };
}

export function toOfferRow(offer: Offer, providerId = FIRST_PROVIDER): Row<"offers"> {
  return {
    provider_id: toProviderColumn(providerId),
    product_id: findProductId(offer.offerId, providerId) ?? null,
    offer_id: offer.offerId,
    product_type: offer.productType,
    brand: offer.brand,
    country: offer.country,
    offer_json: JSON.stringify(offer),
    created_at: Date.parse(offer.createdAt),
    updated_at: Date.parse(offer.updatedAt),
  };
}

export function toPromoRow(promo: CatalogPromo, providerId = FIRST_PROVIDER): Row<"promos"> {
  return {
    provider_id: toProviderColumn(providerId),
    promo_id: promo.id,
    promo_json: JSON.stringify(promo),
    created_at: Date.parse(promo.createdAt),
  };
}

function toKeyColumns({ accountId, environment, generation }: Edition) {
  return { account_id: accountId, environment, generation };
}

export async function putBrands(tx: Tx, edition: Edition, rows: Row<"brands">[]): Promise<void> {
  const key = toKeyColumns(edition);
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
  const key = toKeyColumns(edition);
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
        provider_id: eb.ref("excluded.provider_id"),
        product_id: eb.ref("excluded.product_id"),
      })),
    )
    .execute();
}

export async function putPromos(tx: Tx, edition: Edition, rows: Row<"promos">[]): Promise<void> {
  const key = toKeyColumns(edition);
  await tx
    .insertInto("promos")
    .values(rows.map((row) => ({ ...key, ...row })))
    .onConflict((clash) =>
      clash.columns(["account_id", "environment", "generation", "promo_id"]).doUpdateSet((eb) => ({
        promo_json: eb.ref("excluded.promo_json"),
        created_at: eb.ref("excluded.created_at"),
        provider_id: eb.ref("excluded.provider_id"),
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

/** @throws JsonMisfit */
export function readBrand({ brand, text }: BrandText): CatalogBrand {
  const where = { table: "brands", column: "detail_json", row: brand } as const;
  return ORDERED.brands(readColumn(CATALOG_BRAND, text, where));
}

/** @throws JsonMisfit */
export function readPromo({ promoId, text }: PromoText): CatalogPromo {
  const where = { table: "promos", column: "promo_json", row: promoId } as const;
  return ORDERED.promos(readColumn(CATALOG_PROMO, text, where));
}

/** @throws JsonMisfit */
export function readOffer({ offerId, productType, text, providerId, productId }: OfferText): Offer {
  const where = { table: "offers", column: "offer_json", row: offerId } as const;
  const offer: Offer = ORDERED[getSection(productType)](
    readColumn(OFFER_SCHEMAS[productType].offer, text, where),
  );
  if (providerId === null) return offer;
  return withSupply(offer, { providerId, productId: productId ?? offerId });
}
