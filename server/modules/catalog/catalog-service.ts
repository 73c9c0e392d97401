import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Problem } from "../../contract/problem.ts";
import type { Offer, OfferOf, OfferQuery, ProductFamily } from "../../contract/v1/offers.ts";
import type { Scope } from "../../db/changes.ts";
import type { Db, Tx } from "../../db/database.ts";
import {
  type CatalogBrand,
  type CatalogContent,
  type CatalogPromo,
  createCatalog,
  findCatalogVersion,
  listBrands,
  listOffers,
  listPromos,
} from "./catalog-store.ts";
import { type PricingTerms, priceOffer } from "./offer-pricing.ts";

/** The catalog of one account and environment at one moment, priced for the shop. */
export interface CatalogSnapshot {
  offers: readonly Offer[];
  offersById: ReadonlyMap<string, Offer>;
  /** Brand details by code. */
  brands: ReadonlyMap<string, CatalogBrand>;
  promos: readonly CatalogPromo[];
}

interface Parts {
  db: Db;
  /** The shop's currency and rate; the wallet's own before set-up. */
  readTerms(db: Db | Tx, accountId: string): Promise<PricingTerms>;
}

type OfferFilter = Pick<OfferQuery, "brand" | "country" | "regions" | "subType">;

const WORDS: Record<ProductFamily, string> = { TOPUP: "top-up", VOUCHER: "voucher" };

/**
 * Offers, priced for the shop. The priced copy is kept in memory and made anew when the catalog's
 * version or the shop's terms differ from those it was made with, whichever process changed them.
 */
export class CatalogService {
  readonly #parts: Parts;
  readonly #snapshots = new Map<string, { stamp: string; snapshot: Promise<CatalogSnapshot> }>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async getSnapshot(scope: Scope): Promise<CatalogSnapshot> {
    const { db, readTerms } = this.#parts;
    const version = (await findCatalogVersion(db, scope)) ?? 0;
    const terms = await readTerms(db, scope.accountId);
    const stamp = `${version} ${terms.currency} ${terms.rate}`;
    const key = `${scope.accountId}/${scope.environment}`;
    const known = this.#snapshots.get(key);
    if (known?.stamp === stamp) return known.snapshot;
    const snapshot = this.#load(scope, terms);
    this.#snapshots.set(key, { stamp, snapshot });
    snapshot.catch(() => this.#snapshots.delete(key));
    return snapshot;
  }

  /** Offers of a family that fit every given filter, newest first, then by id (spec §4). */
  async listOffers<Family extends ProductFamily>(
    scope: Scope,
    family: Family,
    filter: OfferFilter,
    page: { limit: number; offset: number },
  ): Promise<{ total: number; list: OfferOf<Family>[] }> {
    const { offers } = await this.getSnapshot(scope);
    const { brand, country, regions, subType } = filter;
    const found = offers.filter(
      (offer): offer is OfferOf<Family> =>
        offer.productType === family &&
        (brand === undefined || offer.brand === brand) &&
        (country === undefined || offer.country === country) &&
        (regions === undefined || offer.regions.includes(regions)) &&
        (subType === undefined || (offer.subTypes as string[]).includes(subType)),
    );
    return { total: found.length, list: found.slice(page.offset, page.offset + page.limit) };
  }

  /** @throws Problem NOT_FOUND, for an offer of another family too */
  async getOffer<Family extends ProductFamily>(
    scope: Scope,
    family: Family,
    offerId: string,
  ): Promise<OfferOf<Family>> {
    const offer = await this.findOffer(scope, family, offerId);
    if (!offer) throw new Problem("NOT_FOUND", `There is no ${WORDS[family]} offer ${offerId}.`);
    return offer;
  }

  /**
   * An offer that can be bought now.
   * @throws Problem OFFER_NOT_FOUND or OFFER_DISABLED
   */
  async getOfferForSale<Family extends ProductFamily>(
    scope: Scope,
    family: Family,
    offerId: string,
  ): Promise<OfferOf<Family>> {
    const offer = await this.findOffer(scope, family, offerId);
    if (!offer) {
      throw new Problem("OFFER_NOT_FOUND", `There is no ${WORDS[family]} offer ${offerId}.`, {
        offerId: "is not an offer of this product family",
      });
    }
    if (!offer.enabled) {
      throw new Problem("OFFER_DISABLED", `The offer ${offerId} is not sold at present.`, {
        offerId: "is disabled",
      });
    }
    return offer;
  }

  async findOffer<Family extends ProductFamily>(
    scope: Scope,
    family: Family,
    offerId: string,
  ): Promise<OfferOf<Family> | undefined> {
    const offer = (await this.getSnapshot(scope)).offersById.get(offerId);
    return offer?.productType === family ? (offer as OfferOf<Family>) : undefined;
  }

  async #load(scope: Scope, terms: PricingTerms): Promise<CatalogSnapshot> {
    const { db } = this.#parts;
    const stated = await listOffers(db, scope);
    const offers = stated.map((offer) => priceOffer(offer, terms));
    const brands = await listBrands(db, scope);
    return {
      offers,
      offersById: new Map(offers.map((offer) => [offer.offerId, offer])),
      brands: new Map(brands.map((brand) => [brand.brand, brand])),
      promos: await listPromos(db, scope),
    };
  }
}

/** The catalog that ships for the test environment. */
export async function readSandboxCatalog(resourcesDir: string): Promise<CatalogContent> {
  const text = await readFile(join(resourcesDir, "catalog", "sandbox.json"), "utf8");
  return JSON.parse(text) as CatalogContent;
}

export async function loadSandboxCatalog(
  tx: Tx,
  accountId: string,
  content: CatalogContent,
  at: number,
): Promise<void> {
  const scope: Scope = { accountId, environment: "test" };
  await createCatalog(tx, scope, { source: "sandbox", content, at });
}
