import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Problem } from "../../contract/problem.ts";
import type { TopupOffer, TopupOfferQuery } from "../../contract/v1/offers.ts";
import type { Scope } from "../../db/changes.ts";
import type { Db, Tx } from "../../db/database.ts";
import {
  type CatalogBrand,
  type CatalogContent,
  createCatalog,
  findCatalogVersion,
  listBrands,
  listTopupOffers,
} from "./catalog-store.ts";
import { type PricingTerms, priceOffer } from "./offer-pricing.ts";

/** The catalog of one account and environment at one moment, priced for the shop. */
export interface CatalogSnapshot {
  offers: readonly TopupOffer[];
  offersById: ReadonlyMap<string, TopupOffer>;
  /** Brand details by code. */
  brands: ReadonlyMap<string, CatalogBrand>;
}

interface Parts {
  db: Db;
  /** The shop's currency and rate; the wallet's own before set-up. */
  readTerms(db: Db | Tx, accountId: string): Promise<PricingTerms>;
}

type OfferFilter = Pick<TopupOfferQuery, "brand" | "country" | "regions" | "subType">;

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

  /** Offers that fit every given filter, newest first, then by id (spec §4.3). */
  async listOffers(
    scope: Scope,
    filter: OfferFilter,
    page: { limit: number; offset: number },
  ): Promise<{ total: number; list: TopupOffer[] }> {
    const { offers } = await this.getSnapshot(scope);
    const { brand, country, regions, subType } = filter;
    const found = offers.filter(
      (offer) =>
        (brand === undefined || offer.brand === brand) &&
        (country === undefined || offer.country === country) &&
        (regions === undefined || offer.regions.includes(regions)) &&
        (subType === undefined || offer.subTypes.includes(subType)),
    );
    return { total: found.length, list: found.slice(page.offset, page.offset + page.limit) };
  }

  /** @throws Problem NOT_FOUND */
  async getOffer(scope: Scope, offerId: string): Promise<TopupOffer> {
    const offer = (await this.getSnapshot(scope)).offersById.get(offerId);
    if (!offer) throw new Problem("NOT_FOUND", `There is no top-up offer ${offerId}.`);
    return offer;
  }

  /**
   * An offer that can be bought now.
   * @throws Problem OFFER_NOT_FOUND or OFFER_DISABLED
   */
  async getOfferForSale(scope: Scope, offerId: string): Promise<TopupOffer> {
    const offer = (await this.getSnapshot(scope)).offersById.get(offerId);
    if (!offer) {
      throw new Problem("OFFER_NOT_FOUND", `There is no top-up offer ${offerId}.`, {
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

  async #load(scope: Scope, terms: PricingTerms): Promise<CatalogSnapshot> {
    const { db } = this.#parts;
    const stated = await listTopupOffers(db, scope);
    const offers = stated.map((offer) => priceOffer(offer, terms));
    const brands = await listBrands(db, scope);
    return {
      offers,
      offersById: new Map(offers.map((offer) => [offer.offerId, offer])),
      brands: new Map(brands.map((brand) => [brand.brand, brand])),
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
