import { wordsOf } from "../../contract/pos/families.ts";
import { Problem } from "../../contract/problem.ts";
import type { Offer, OfferOf, ProductFamily } from "../../contract/v1/offers.ts";
import type { Scope } from "../../db/changes.ts";
import { CommitCache } from "../../db/commit-cache.ts";
import type { Db, Tx } from "../../db/database.ts";
import type { CommitWatch } from "../../db/reference-watch.ts";
import { JsonMisfit } from "../../lib/checked-json.ts";
import { pause } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { sectionOf } from "./catalog-content.ts";
import { readBrand, readOffer, readPromo } from "./catalog-items.ts";
import { ORDERED } from "./catalog-schema.ts";
import { CatalogSnapshot, type OfferFilter, type PreparedOffer } from "./catalog-snapshot.ts";
import {
  findCatalogVersion,
  listBrandTexts,
  listOfferTexts,
  listPromoTexts,
} from "./catalog-store.ts";
import { type PricingTerms, priceOffer } from "./offer-pricing.ts";

interface Deps {
  db: Db;
  watch: CommitWatch;
  log: Log;
  /** The shop's currency and rate; the wallet's own before set-up. */
  readTerms(db: Db | Tx, accountId: string): Promise<PricingTerms>;
}

/** What a priced copy is made of: while it is the same, so is the copy. */
interface Stamp {
  stamp: string;
  terms: PricingTerms;
}

/** Scopes whose stamps are remembered between two commits. */
const STAMPS_REMEMBERED = 100;

/**
 * Offers, priced for the shop. The priced copy is kept in memory and made anew when the catalog's
 * version or the shop's terms differ from those it was made with, whichever process changed them.
 * Who asks then waits for the new copy: an answer is never older than the catalog it was asked of.
 */
export class CatalogService {
  readonly #deps: Deps;
  readonly #stamps: CommitCache<Stamp>;
  readonly #snapshots = new Map<
    string,
    { stamp: string; snapshot: Promise<CatalogSnapshot>; loaded?: CatalogSnapshot }
  >();

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#stamps = new CommitCache(deps.watch, STAMPS_REMEMBERED);
  }

  /** @param asOf the commit stamp of the request, where it was taken already */
  async getSnapshot(scope: Scope, asOf?: number): Promise<CatalogSnapshot> {
    const key = `${scope.accountId}/${scope.environment}`;
    const read = () => this.#readStamp(scope);
    const { stamp, terms } = (await this.#stamps.get(key, read, asOf)) ?? (await read());
    const known = this.#snapshots.get(key);
    if (known?.stamp === stamp) return known.snapshot;
    const snapshot = this.#load(scope, terms);
    const made: { stamp: string; snapshot: typeof snapshot; loaded?: CatalogSnapshot } = {
      stamp,
      snapshot,
    };
    this.#snapshots.set(key, made);
    snapshot.then(
      (loaded) => {
        made.loaded = loaded;
      },
      () => this.#snapshots.delete(key),
    );
    return snapshot;
  }

  /**
   * The page that this address was answered with, where the catalog and the shop's terms are still the
   * same. It answers at once: nothing is read.
   */
  recallPage(scope: Scope & { asOf: number }, address: string): Buffer | undefined {
    const key = `${scope.accountId}/${scope.environment}`;
    const current = this.#stamps.recall(key, scope.asOf)?.stamp;
    const known = current === undefined ? undefined : this.#snapshots.get(key);
    return known?.stamp === current ? known?.loaded?.recallPage(address) : undefined;
  }

  /**
   * A page of the offers of a family that fit every given filter, newest first, then by id (rules#list-newest-first),
   * as JSON in the order of the contract's fields. `total` is exact.
   * @param asked.address what `recallPage` will know the page by
   */
  async listOffers(
    scope: Scope & { asOf: number },
    family: ProductFamily,
    asked: { filter: OfferFilter; limit: number; offset: number; address: string },
  ): Promise<Buffer> {
    return (await this.getSnapshot(scope, scope.asOf)).page(family, asked);
  }

  /**
   * An offer as JSON, in the order of the contract's fields.
   * @throws Problem NOT_FOUND, for an offer of another family too
   */
  async getOfferText(scope: Scope, family: ProductFamily, offerId: string): Promise<string> {
    const found = (await this.getSnapshot(scope)).find(family, offerId);
    if (!found) throw new Problem("NOT_FOUND", `There is no ${wordsOf(family)} offer ${offerId}.`);
    return found.text;
  }

  /** @throws Problem NOT_FOUND, for an offer of another family too */
  async getOffer<Family extends ProductFamily>(
    scope: Scope,
    family: Family,
    offerId: string,
  ): Promise<OfferOf<Family>> {
    const offer = await this.findOffer(scope, family, offerId);
    if (!offer) throw new Problem("NOT_FOUND", `There is no ${wordsOf(family)} offer ${offerId}.`);
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
    return forSale(await this.findOffer(scope, family, offerId), offerId, wordsOf(family));
  }

  /**
   * An offer of any family that can be bought now.
   * @throws Problem OFFER_NOT_FOUND or OFFER_DISABLED
   */
  async getAnyOfferForSale(scope: Scope, offerId: string): Promise<Offer> {
    return forSale((await this.getSnapshot(scope)).offersById.get(offerId), offerId);
  }

  async findOffer<Family extends ProductFamily>(
    scope: Scope,
    family: Family,
    offerId: string,
  ): Promise<OfferOf<Family> | undefined> {
    const offer = (await this.getSnapshot(scope)).offersById.get(offerId);
    return offer?.productType === family ? (offer as OfferOf<Family>) : undefined;
  }

  async #readStamp(scope: Scope): Promise<Stamp> {
    const { db, readTerms } = this.#deps;
    const version = (await findCatalogVersion(db, scope)) ?? 0;
    const terms = await readTerms(db, scope.accountId);
    return { stamp: `${version} ${terms.currency} ${terms.rate}`, terms };
  }

  /** Leaves out what cannot be read, and says so: the rest of the catalog is sold. */
  #readAll<Row, Item>(scope: Scope, rows: readonly Row[], read: (row: Row) => Item): Item[] {
    return rows.flatMap((row) => {
      try {
        return [read(row)];
      } catch (error) {
        if (!(error instanceof JsonMisfit)) throw error;
        this.#deps.log.error({ err: error, ...scope }, "a part of the catalog is left out");
        return [];
      }
    });
  }

  /** Reads in pages, so that other requests are answered meanwhile. */
  async #load(scope: Scope, terms: PricingTerms): Promise<CatalogSnapshot> {
    const { db, log } = this.#deps;
    for (;;) {
      const version = await findCatalogVersion(db, scope);
      const prepared: PreparedOffer[] = [];
      for await (const page of listOfferTexts(db, scope)) {
        const intact = page.filter((row) => row.intact === 1);
        for (const { offerId } of page.filter((row) => row.intact === 0)) {
          log.error({ offerId, ...scope }, "a fault of the disk changed an offer: it is not sold");
        }
        for (const offer of this.#readAll(scope, intact, readOffer)) {
          prepared.push(prepare(priceOffer(offer, terms)));
        }
        await pause();
      }
      const brands = this.#readAll(scope, await listBrandTexts(db, scope), readBrand);
      const promos = this.#readAll(scope, await listPromoTexts(db, scope), readPromo);
      // It is of one piece only when nobody replaced the catalog meanwhile.
      if ((await findCatalogVersion(db, scope)) === version) {
        return new CatalogSnapshot(prepared, brands, promos);
      }
    }
  }
}

/** @throws Problem OFFER_NOT_FOUND or OFFER_DISABLED */
function forSale<Wanted extends Offer>(
  offer: Wanted | undefined,
  offerId: string,
  family?: string,
): Wanted {
  if (!offer) {
    throw new Problem(
      "OFFER_NOT_FOUND",
      `There is no ${family === undefined ? "" : `${family} `}offer ${offerId}.`,
      { offerId: `is not an offer${family === undefined ? "" : " of this product family"}` },
    );
  }
  if (!offer.enabled) {
    throw new Problem("OFFER_DISABLED", `The offer ${offerId} is not sold at present.`, {
      offerId: "is disabled",
    });
  }
  return offer;
}

/** Most texts are never asked for while their copy lives: each is written when it first is. */
function prepare(offer: Offer): PreparedOffer {
  let text: string | undefined;
  return {
    offer,
    get text() {
      text ??= JSON.stringify(inOrder(offer));
      return text;
    },
  };
}

/** Pricing puts the price's fields in an order of its own. */
function inOrder(offer: Offer): Offer {
  return ORDERED[sectionOf(offer.productType)](offer);
}
