import {
  type CatalogBrand,
  type CatalogPromo,
  getSection,
} from "../../../contract/catalog-content.ts";
import { wordsOf } from "../../../contract/pos/families.ts";
import type { PriceChannel } from "../../../contract/pos/prices.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Offer, OfferOf, ProductFamily } from "../../../contract/v1/offers.ts";
import type { Scope } from "../../../db/changes.ts";
import { CommitCache } from "../../../db/commit-cache.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { JsonMisfit } from "../../../lib/checked-json.ts";
import { type Clock, pause } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import { listProductIds } from "../../../providers/supply.ts";
import type { Base } from "../../module.ts";
import { type CatalogChoices, readChoices } from "./catalog-choices.ts";
import { ORDERED } from "./catalog-schema.ts";
import { CatalogSnapshot, type OfferFilter, type PreparedOffer } from "./catalog-snapshot.ts";
import {
  findCatalogState,
  findCatalogVersion,
  findEdition,
  listBrandTexts,
  listOfferTexts,
  listPromoTexts,
  readBrand,
  readOffer,
  readPromo,
} from "./catalog-store.ts";
import type { PricedScope, Pricing } from "./offer-quote.ts";
import {
  listSuppliers,
  mergeProducts,
  type Products,
  providerOf,
  toSoldOffer,
} from "./products.ts";

class StatedCatalog {
  readonly #deps: { db: Db; log: Log };
  readonly #known = new Map<string, Promise<StoredVersion>>();

  constructor(deps: { db: Db; log: Log }) {
    this.#deps = deps;
  }

  /** Returns the catalog in this version or a later version. */
  async get(scope: Scope, version: number): Promise<StoredVersion> {
    const key = `${scope.accountId}/${scope.environment}`;
    for (;;) {
      const known = this.#known.get(key);
      const stated = await known;
      if (stated && stated.version >= version) return stated;
      // Another request is already reading the catalog.
      if (this.#known.get(key) !== known) continue;
      const reading = this.#read(scope);
      this.#known.set(key, reading);
      reading.catch(() => this.#known.delete(key));
    }
  }

  async #read(scope: Scope): Promise<StoredVersion> {
    const { db, log } = this.#deps;
    const { accountId, environment } = scope;
    for (;;) {
      const { edition, version = 0 } = await findEdition(db, scope);
      const offers: Offer[] = [];
      for await (const page of listOfferTexts(db, edition)) {
        const intact = page.filter((row) => row.intact === 1);
        for (const { offerId } of page.filter((row) => row.intact === 0)) {
          log.error(
            { offerId, accountId, environment },
            "a disk error changed an offer: it is not sold",
          );
        }
        offers.push(...this.#readAll(scope, intact, readOffer));
        await pause();
      }
      const brands = this.#readAll(scope, await listBrandTexts(db, edition), readBrand);
      const promos = this.#readAll(scope, await listPromoTexts(db, edition), readPromo);
      // After an import between two queries, the result would mix two versions: read again.
      if (((await findCatalogVersion(db, scope)) ?? 0) === version) {
        return { version, offers, brands, promos };
      }
    }
  }

  /** Omits and logs unreadable items, so that the other items can be sold. */
  #readAll<Row, Item>(
    { accountId, environment }: Scope,
    rows: readonly Row[],
    read: (row: Row) => Item,
  ): Item[] {
    return rows.flatMap((row) => {
      try {
        return [read(row)];
      } catch (error) {
        if (!(error instanceof JsonMisfit)) throw error;
        const where = { err: error, accountId, environment };
        this.#deps.log.error(where, "a part of the catalog is left out");
        return [];
      }
    });
  }
}

interface CatalogServiceDeps extends Pick<Base, "db" | "watch" | "clock" | "log"> {
  readPricing(db: Db | Tx, scope: Scope, at: number): Promise<Pricing>;
}

/** Equal stamps mean equal priced copies. */
interface Stamp {
  version: number;
  pricing: Pricing;
  choices: CatalogChoices;
  text: string;
}

export interface ReviewedCatalog {
  snapshot: CatalogSnapshot;
  stated: readonly Offer[];
  choices: CatalogChoices;
}

interface SuppliedCatalog extends Pick<Products, "hidden" | "unclear"> {
  offers: readonly Offer[];
  brands: StoredVersion["brands"];
  choices: CatalogChoices;
}

interface Priced {
  stamp: string;
  snapshot: Promise<CatalogSnapshot>;
  loaded?: CatalogSnapshot;
}

const STAMPS_REMEMBERED = 100;

const PRICED_AT_A_TIME = 200;

/**
 * A priced copy is rebuilt when any process changes the catalog or the prices, and when a price
 * rule starts or ends (rules#price-one-function). Requests wait for the new copy, so that no
 * response is older than the catalog at its request.
 */
export class CatalogService {
  readonly #deps: CatalogServiceDeps;
  /** A stamp is replaced when its prices expire. */
  readonly #stamps: CommitCache<{ current: Stamp }>;
  readonly #stated: StatedCatalog;
  readonly #snapshots = new Map<string, Priced>();
  readonly #choices = new Map<string, { number: number; choices: CatalogChoices }>();
  /** Products by the list of stated offers. */
  readonly #products = new WeakMap<
    readonly Offer[],
    { choices: CatalogChoices; products: Promise<Products> }
  >();

  constructor(deps: CatalogServiceDeps) {
    this.#deps = deps;
    this.#stamps = new CommitCache(deps.watch, STAMPS_REMEMBERED);
    this.#stated = new StatedCatalog(deps);
  }

  /** @param asOf the request's commit stamp, if known */
  async getSnapshot(scope: PricedScope, asOf?: number): Promise<CatalogSnapshot> {
    const { channel = "TILL" } = scope;
    const stamp = await this.#getStamp(scope, asOf);
    const key = toCopyKey(scope, stamp);
    const known = this.#snapshots.get(key);
    const { text } = stamp;
    if (known?.stamp === text) return known.snapshot;
    const made: Priced = { stamp: text, snapshot: this.#price(scope, stamp, channel) };
    this.#forget(toKey(scope), text);
    this.#snapshots.set(key, made);
    made.snapshot.then(
      (loaded) => {
        made.loaded = loaded;
      },
      () => this.#snapshots.delete(key),
    );
    return made.snapshot;
  }

  /** Returns a cached page, or undefined if the catalog or its prices have changed. */
  recallPage(scope: PricedScope & { asOf: number }, address: string): Buffer | undefined {
    const current = this.#stamps.recall(toKey(scope), scope.asOf)?.current;
    if (!current || !isCurrent(current, this.#deps.clock)) return undefined;
    const known = this.#snapshots.get(toCopyKey(scope, current));
    return known?.stamp === current.text ? known.loaded?.recallPage(address) : undefined;
  }

  /**
   * Returns the prices, the rate and the taxes that are in force.
   * @param asOf the request's commit stamp, if known
   */
  async getPricing(scope: Scope, asOf?: number): Promise<Pricing> {
    return (await this.#getStamp(scope, asOf)).pricing;
  }

  async getStated(scope: Scope): Promise<{ offers: readonly Offer[]; pricing: Pricing }> {
    const stamp = await this.#getStamp(scope);
    const { offers } = await this.#getProducts(scope, stamp);
    return { offers, pricing: stamp.pricing };
  }

  /** Returns all offers, including offers that are not sold. */
  async getReviewed(scope: Scope): Promise<ReviewedCatalog> {
    const { accountId, environment } = scope;
    const stamp = await this.#getStamp({ accountId, environment });
    const snapshot = await this.getSnapshot({ accountId, environment });
    const { offers } = await this.#getProducts(scope, stamp);
    return { snapshot, stated: offers, choices: stamp.choices };
  }

  /** Returns the offers as the providers state them, before products are merged. */
  async getSupplied(scope: Scope): Promise<SuppliedCatalog> {
    const stamp = await this.#getStamp(scope);
    const { offers, brands } = await this.#stated.get(scope, stamp.version);
    const { hidden, unclear } = await this.#getProducts(scope, stamp);
    return { offers, hidden, unclear, brands, choices: stamp.choices };
  }

  /**
   * Lists the offers of a product that can be sold now, the preferred provider's first. Empty for
   * an offer that has the id of one provider only.
   */
  async listSuppliers(scope: Scope, offerId: string): Promise<Offer[]> {
    const stamp = await this.#getStamp(scope);
    const { offers } = await this.#getProducts(scope, stamp);
    const product = offers.find((offer) => offer.offerId === offerId);
    if (!product || listProductIds(product).length < 2) return [];
    const stated = await this.#stated.get(scope, stamp.version);
    return listSuppliers(stated.offers, product, stamp.choices);
  }

  /**
   * Returns a page of offers, newest first, then by id (rules#list-newest-first), as JSON with the
   * contract's field order. `total` is exact.
   * @param asked.address key of the page for `recallPage`
   */
  async listOffers(
    scope: PricedScope & { asOf: number },
    family: ProductFamily,
    asked: { filter: OfferFilter; limit: number; offset: number; address: string },
  ): Promise<Buffer> {
    return (await this.getSnapshot(scope, scope.asOf)).page(family, asked);
  }

  /**
   * Returns JSON with the contract's field order.
   * @throws Problem NOT_FOUND, also for an offer of another family
   */
  async getOfferText(scope: PricedScope, family: ProductFamily, offerId: string): Promise<string> {
    const found = (await this.getSnapshot(scope)).find(family, offerId);
    if (!found) throw new Problem("NOT_FOUND", `There is no ${wordsOf(family)} offer ${offerId}.`);
    return found.text;
  }

  /** @throws Problem NOT_FOUND, also for an offer of another family */
  async getOffer<Family extends ProductFamily>(
    scope: PricedScope,
    family: Family,
    offerId: string,
  ): Promise<OfferOf<Family>> {
    const offer = await this.findOffer(scope, family, offerId);
    if (!offer) throw new Problem("NOT_FOUND", `There is no ${wordsOf(family)} offer ${offerId}.`);
    return offer;
  }

  /** @throws Problem OFFER_NOT_FOUND or OFFER_DISABLED */
  async getOfferForSale<Family extends ProductFamily>(
    scope: PricedScope,
    family: Family,
    offerId: string,
  ): Promise<OfferOf<Family>> {
    return forSale(await this.findOffer(scope, family, offerId), offerId, wordsOf(family));
  }

  /** @throws Problem OFFER_NOT_FOUND or OFFER_DISABLED */
  async getAnyOfferForSale(scope: PricedScope, offerId: string): Promise<Offer> {
    return forSale((await this.getSnapshot(scope)).get(offerId), offerId);
  }

  async findOffer<Family extends ProductFamily>(
    scope: PricedScope,
    family: Family,
    offerId: string,
  ): Promise<OfferOf<Family> | undefined> {
    const offer = (await this.getSnapshot(scope, scope.asOf)).get(offerId);
    return offer?.productType === family ? (offer as OfferOf<Family>) : undefined;
  }

  async #getStamp(scope: Scope, asOf?: number): Promise<Stamp> {
    const read = async () => ({ current: await this.#readStamp(scope) });
    const held = (await this.#stamps.get(toKey(scope), read, asOf)) ?? (await read());
    if (!isCurrent(held.current, this.#deps.clock)) held.current = await this.#readStamp(scope);
    return held.current;
  }

  async #readStamp({ accountId, environment }: Scope): Promise<Stamp> {
    const { db, clock, readPricing } = this.#deps;
    const scope = { accountId, environment };
    const state = await findCatalogState(db, scope);
    const version = state?.version ?? 0;
    const pricing = await readPricing(db, scope, clock.now());
    const choices = await this.#readChoices(scope, state?.choices ?? 0);
    return { version, pricing, choices, text: `${version} ${state?.choices} ${pricing.stamp}` };
  }

  /** Reads the choices only after a change, so that a sale needs no extra statement. */
  async #readChoices(scope: Scope, number: number): Promise<CatalogChoices> {
    const known = this.#choices.get(toKey(scope));
    if (known?.number === number) return known.choices;
    const choices = await readChoices(this.#deps.db, scope);
    this.#choices.set(toKey(scope), { number, choices });
    return choices;
  }

  /** Merges again only after a change of the catalog or of the owner's choices. */
  async #getProducts(scope: Scope, { version, choices }: Stamp): Promise<Products> {
    const { offers } = await this.#stated.get(scope, version);
    const known = this.#products.get(offers);
    if (known?.choices === choices) return known.products;
    const products = mergeProducts(offers, choices);
    this.#products.set(offers, { choices, products });
    return products;
  }

  #forget(scopeKey: string, stamp: string): void {
    for (const [key, known] of this.#snapshots) {
      if (key.startsWith(`${scopeKey}/`) && known.stamp !== stamp) this.#snapshots.delete(key);
    }
  }

  /** Pauses between batches for other requests. */
  async #price(scope: Scope, stamp: Stamp, channel: PriceChannel): Promise<CatalogSnapshot> {
    const { brands, promos } = await this.#stated.get(scope, stamp.version);
    const { offers, hidden } = await this.#getProducts(scope, stamp);
    const { pins } = stamp.choices;
    const prepared: PreparedOffer[] = [];
    let blocked = 0;
    for (const [index, offer] of offers.entries()) {
      if (index % PRICED_AT_A_TIME === PRICED_AT_A_TIME - 1) await pause();
      const { priced, isBlocked } = priceFor(offer, stamp, channel);
      if (isBlocked) blocked += 1;
      prepared.push(prepare(priced));
    }
    return new CatalogSnapshot(prepared, brands, promos, {
      blocked,
      pins,
      findHidden(offerId) {
        const found = hidden.get(offerId);
        return found && prepare(priceFor(toSoldOffer(found), stamp, channel).priced);
      },
    });
  }
}

function toKey({ accountId, environment }: Scope): string {
  return `${accountId}/${environment}`;
}

/** The till and the API share a copy if their prices are equal. */
function toCopyKey(scope: PricedScope, { pricing }: Stamp): string {
  return `${toKey(scope)}/${pricing.splitsChannels ? (scope.channel ?? "TILL") : ""}`;
}

/** Returns false after a price rule has started or ended. */
function isCurrent({ pricing }: Stamp, clock: Clock): boolean {
  const now = clock.now();
  return pricing.from <= now && now < pricing.until;
}

/** `isBlocked` is true if only the price disables the offer. */
function priceFor(
  offer: Offer,
  { pricing, choices }: Stamp,
  channel: PriceChannel,
): { priced: Offer; isBlocked: boolean } {
  const { switches, offProviders } = choices;
  const priced = pricing.price(offer, channel);
  const isOff = switches.isOff(offer) || offProviders.has(providerOf(offer));
  return {
    priced: isOff ? { ...priced, enabled: false } : priced,
    isBlocked: offer.enabled && !priced.enabled && !isOff,
  };
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

/** The offer is serialized at its first use, because most offers are never requested. */
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

function inOrder(offer: Offer): Offer {
  return ORDERED[getSection(offer.productType)](offer);
}

interface StoredVersion {
  version: number;
  offers: readonly Offer[];
  brands: readonly CatalogBrand[];
  promos: readonly CatalogPromo[];
}
