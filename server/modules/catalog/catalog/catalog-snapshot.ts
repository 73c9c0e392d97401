import type { CatalogBrand, CatalogPromo } from "../../../contract/catalog-content.ts";
import type { Offer, OfferQuery, ProductFamily } from "../../../contract/v1/offers.ts";

export interface PreparedOffer<Priced extends Offer = Offer> {
  offer: Priced;
  readonly text: string;
}

export type OfferFilter = Pick<OfferQuery, "brand" | "country" | "regions" | "subType">;

/**
 * Finds an offer in no list, which can be bought by its id. It is priced at each request, because
 * there can be more of them than listed offers.
 */
type FindHidden = (offerId: string) => PreparedOffer | undefined;

const RESULTS_KEPT = 256;
/** Some hundreds of pages of 50 offers. */
const PAGES_KEPT_BYTES = 16 * 1024 * 1024;
/** Several addresses can have the same page, because filters can be in any order. */
const ADDRESSES_KEPT = 1_000;
const MAX_ADDRESS_LENGTH = 512;

export class CatalogSnapshot {
  /** Newest first, then by id. */
  readonly offers: readonly Offer[];
  readonly brands: ReadonlyMap<string, CatalogBrand>;
  /** Newest first, then by id. */
  readonly promos: readonly CatalogPromo[];
  /** Pinned offers in the owner's order. Some offers may no longer exist. */
  readonly pins: ReadonlyMap<ProductFamily, readonly string[]>;
  /** Number of offers without an allowed price (rules#price-computation). */
  readonly blocked: number;
  readonly #prepared = new Map<string, PreparedOffer>();
  readonly #findHidden: FindHidden | undefined;
  /** Grouped by their most selective filter: family, family and brand, or family and country. */
  readonly #groups = new Map<string, PreparedOffer[]>();
  readonly #results = new Map<string, readonly PreparedOffer[]>();
  readonly #pages = new Map<string, Buffer>();
  readonly #pageKeys = new Map<string, string>();
  #pagesBytes = 0;
  readonly #brandsIn = new Map<string, Set<string>>();

  constructor(
    prepared: readonly PreparedOffer[],
    brands: readonly CatalogBrand[],
    promos: readonly CatalogPromo[],
    {
      blocked = 0,
      pins = new Map(),
      findHidden,
    }: Partial<Pick<CatalogSnapshot, "blocked" | "pins">> & { findHidden?: FindHidden } = {},
  ) {
    this.blocked = blocked;
    this.pins = pins;
    const sorted = [...prepared].sort((a, b) => byNewest(a.offer, b.offer));
    this.offers = sorted.map(({ offer }) => offer);
    this.#findHidden = findHidden;
    this.brands = new Map(brands.map((brand) => [brand.brand, brand]));
    this.promos = [...promos].sort(byNewest);
    for (const item of sorted) {
      const { offerId, productType, brand, country } = item.offer;
      this.#prepared.set(offerId, item);
      this.#addToGroup(toGroupKey(productType), item);
      this.#addToGroup(toGroupKey(productType, "brand", brand), item);
      this.#addToGroup(toGroupKey(productType, "country", country), item);
      const sold = this.#brandsIn.get(country) ?? new Set();
      this.#brandsIn.set(country, sold.add(brand));
    }
  }

  get(offerId: string): Offer | undefined {
    return this.#find(offerId)?.offer;
  }

  find(family: ProductFamily, offerId: string): PreparedOffer | undefined {
    const found = this.#find(offerId);
    return found?.offer.productType === family ? found : undefined;
  }

  isSold(offerId: string): boolean {
    return this.get(offerId)?.enabled ?? false;
  }

  /** Returns offers newest first, then by id (rules#list-newest-first). */
  list(family: ProductFamily, filter: OfferFilter): readonly PreparedOffer[] {
    const { brand, country, regions, subType } = filter;
    const key = JSON.stringify([family, brand, country, regions, subType]);
    const known = this.#results.get(key);
    if (known) return known;
    const found = this.#findNarrowest(family, filter).filter(
      ({ offer }) =>
        (country === undefined || offer.country === country) &&
        (regions === undefined || offer.regions.includes(regions)) &&
        (subType === undefined || (offer.subTypes as string[]).includes(subType)),
    );
    const [oldest] = this.#results.keys();
    if (oldest !== undefined && this.#results.size >= RESULTS_KEPT) this.#results.delete(oldest);
    this.#results.set(key, found);
    return found;
  }

  /**
   * Returns JSON with the contract's field order, and the same bytes for a repeated request.
   * @param asked.address key of the page for `recallPage`
   */
  page(
    family: ProductFamily,
    asked: { filter: OfferFilter; limit: number; offset: number; address: string },
  ): Buffer {
    const { filter, limit, offset, address } = asked;
    const { brand, country, regions, subType } = filter;
    const key = JSON.stringify([family, brand, country, regions, subType, limit, offset]);
    this.#cacheAddress(address, key);
    const known = this.#pages.get(key);
    if (known) return known;
    const found = this.list(family, filter);
    const texts = found.slice(offset, offset + limit).map(({ text }) => text);
    const head = `{"limit":${limit},"offset":${offset},"total":${found.length},"list":[`;
    const page = Buffer.from(`${head}${texts.join(",")}]}`);
    this.#cachePage(key, page);
    return page;
  }

  recallPage(address: string): Buffer | undefined {
    const key = this.#pageKeys.get(address);
    return key === undefined ? undefined : this.#pages.get(key);
  }

  listBrandsIn(country: string): ReadonlySet<string> {
    return this.#brandsIn.get(country) ?? new Set();
  }

  #find(offerId: string): PreparedOffer | undefined {
    return this.#prepared.get(offerId) ?? this.#findHidden?.(offerId);
  }

  #cacheAddress(address: string, key: string): void {
    if (address.length > MAX_ADDRESS_LENGTH) return;
    const [oldest] = this.#pageKeys.keys();
    const isFull = this.#pageKeys.size >= ADDRESSES_KEPT && !this.#pageKeys.has(address);
    if (isFull && oldest !== undefined) this.#pageKeys.delete(oldest);
    this.#pageKeys.set(address, key);
  }

  #cachePage(key: string, page: Buffer): void {
    this.#pages.set(key, page);
    this.#pagesBytes += page.length;
    for (const [oldest, { length }] of this.#pages) {
      if (this.#pagesBytes <= PAGES_KEPT_BYTES) break;
      this.#pages.delete(oldest);
      this.#pagesBytes -= length;
    }
  }

  #findNarrowest(family: ProductFamily, { brand, country }: OfferFilter): PreparedOffer[] {
    let key = toGroupKey(family);
    if (country !== undefined) key = toGroupKey(family, "country", country);
    if (brand !== undefined) key = toGroupKey(family, "brand", brand);
    return this.#groups.get(key) ?? [];
  }

  #addToGroup(key: string, item: PreparedOffer): void {
    const group = this.#groups.get(key);
    if (group) group.push(item);
    else this.#groups.set(key, [item]);
  }
}

function toGroupKey(family: ProductFamily, by = "family", value = ""): string {
  return `${family} ${by} ${value}`;
}

/** Times have the same format, so they can be compared as text. */
function byNewest(a: { createdAt: string }, b: { createdAt: string }): number {
  if (a.createdAt === b.createdAt) return 0;
  return a.createdAt < b.createdAt ? 1 : -1;
}
