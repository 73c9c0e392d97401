import type { BrandDetail, RedemptionInstructions } from "../../contract/v1/brands.ts";
import type { Offer, TopupOffer, VoucherOffer } from "../../contract/v1/offers.ts";
import type { Promo, PromoDescription } from "../../contract/v1/promos.ts";
import { recordChange, type Scope } from "../../db/changes.ts";
import type { Db, Tx } from "../../db/database.ts";

/** A brand as the catalog states it, with the texts of its redemption instructions. */
export interface CatalogBrand extends BrandDetail {
  redemptionInstructionInfos: RedemptionInstructions[];
}

/** A promotion as the catalog states it: its status follows from its dates. */
export interface CatalogPromo extends Omit<Promo, "status"> {
  /** The languages it exists in besides English. */
  descriptions: PromoDescription[];
}

/** The shape `/v1` serves, as in a catalog file. */
export interface CatalogContent {
  brands: CatalogBrand[];
  topups: TopupOffer[];
  vouchers: VoucherOffer[];
  promos: CatalogPromo[];
}

const ROWS_PER_INSERT = 500;

/** Which version of the catalog is current; undefined when none was loaded. */
export async function findCatalogVersion(db: Db | Tx, scope: Scope): Promise<number | undefined> {
  const row = await db
    .selectFrom("catalogs")
    .select("version")
    .where("account_id", "=", scope.accountId)
    .where("environment", "=", scope.environment)
    .executeTakeFirst();
  return row?.version;
}

/** Loads the first catalog of an account and environment. */
export async function createCatalog(
  tx: Tx,
  scope: Scope,
  catalog: { source: string; content: CatalogContent; at: number },
): Promise<void> {
  const scoped = { account_id: scope.accountId, environment: scope.environment };
  await tx
    .insertInto("catalogs")
    .values({ ...scoped, version: 1, source: catalog.source, updated_at: catalog.at })
    .execute();
  for (const brands of chunks(catalog.content.brands)) {
    await tx
      .insertInto("brands")
      .values(
        brands.map((brand) => ({
          ...scoped,
          brand: brand.brand,
          brand_name: brand.brandName,
          detail_json: JSON.stringify(brand),
        })),
      )
      .execute();
  }
  const { topups, vouchers } = catalog.content;
  for (const offers of chunks<Offer>([...topups, ...vouchers])) {
    await tx
      .insertInto("offers")
      .values(
        offers.map((offer) => ({
          ...scoped,
          offer_id: offer.offerId,
          product_type: offer.productType,
          brand: offer.brand,
          country: offer.country,
          offer_json: JSON.stringify(offer),
          created_at: Date.parse(offer.createdAt),
          updated_at: Date.parse(offer.updatedAt),
        })),
      )
      .execute();
  }
  for (const promos of chunks(catalog.content.promos)) {
    await tx
      .insertInto("promos")
      .values(
        promos.map((promo) => ({
          ...scoped,
          promo_id: promo.id,
          promo_json: JSON.stringify(promo),
          created_at: Date.parse(promo.createdAt),
        })),
      )
      .execute();
  }
  await recordChange(tx, scope, { topic: "catalog", subject: catalog.source, at: catalog.at });
}

export async function listBrands(db: Db | Tx, scope: Scope): Promise<CatalogBrand[]> {
  const rows = await db
    .selectFrom("brands")
    .select("detail_json")
    .where("account_id", "=", scope.accountId)
    .where("environment", "=", scope.environment)
    .orderBy("brand")
    .execute();
  return rows.map((row) => JSON.parse(row.detail_json) as CatalogBrand);
}

/** Every promotion, newest first, then by id. */
export async function listPromos(db: Db | Tx, scope: Scope): Promise<CatalogPromo[]> {
  const rows = await db
    .selectFrom("promos")
    .select("promo_json")
    .where("account_id", "=", scope.accountId)
    .where("environment", "=", scope.environment)
    .orderBy("created_at", "desc")
    .orderBy("promo_id")
    .execute();
  return rows.map((row) => JSON.parse(row.promo_json) as CatalogPromo);
}

/** Every offer, newest first, then by id. */
export async function listOffers(db: Db | Tx, scope: Scope): Promise<Offer[]> {
  const rows = await db
    .selectFrom("offers")
    .select("offer_json")
    .where("account_id", "=", scope.accountId)
    .where("environment", "=", scope.environment)
    .orderBy("created_at", "desc")
    .orderBy("offer_id")
    .execute();
  return rows.map((row) => JSON.parse(row.offer_json) as Offer);
}

function* chunks<T>(items: T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += ROWS_PER_INSERT) {
    yield items.slice(start, start + ROWS_PER_INSERT);
  }
}
