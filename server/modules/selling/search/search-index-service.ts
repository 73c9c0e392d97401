import { createHash } from "node:crypto";
import type { PosSearchIndex } from "../../../contract/pos/search-index.ts";
import type { Offer } from "../../../contract/v1/offers.ts";
import type { Scope } from "../../../db/changes.ts";
import type { CatalogService } from "../../catalog/catalog/index.ts";
import { getArea } from "../../catalog/counter-catalog/index.ts";
import type { ShopService } from "../../shop/shop/index.ts";

type Snapshot = Awaited<ReturnType<CatalogService["getSnapshot"]>>;
type Group = PosSearchIndex["groups"][number];

export interface PreparedIndex {
  text: string;
  etag: string;
}

export type { Scope };

export class SearchIndexService {
  readonly #deps: { catalog: CatalogService; shop: ShopService };
  readonly #prepared = new WeakMap<Snapshot, PreparedIndex>();

  constructor(parts: { catalog: CatalogService; shop: ShopService }) {
    this.#deps = parts;
  }

  async get(scope: Scope): Promise<PreparedIndex> {
    const { catalog, shop } = this.#deps;
    const snapshot = await catalog.getSnapshot(scope);
    const known = this.#prepared.get(snapshot);
    if (known) return known;
    const { currency, currencyDivisor } = await shop.get(scope.accountId);
    const text = JSON.stringify({ currency, currencyDivisor, ...buildIndex(snapshot) });
    const etag = `"${createHash("sha256").update(text).digest("base64url")}"`;
    const prepared = { text, etag };
    this.#prepared.set(snapshot, prepared);
    return prepared;
  }
}

function buildIndex({ offers, brands }: Snapshot): Pick<PosSearchIndex, "brands" | "groups"> {
  const groups = new Map<string, Group>();
  const names = new Map<string, string>();
  for (const offer of offers) {
    if (!offer.enabled) continue;
    const { productType, brand, country } = offer;
    const area = getArea(offer);
    const key = `${productType}/${brand}/${country}/${area?.countries.join() ?? ""}`;
    const group = groups.get(key) ?? {
      productType,
      brand,
      country,
      ...(area && { area }),
      offers: [],
    };
    const kinds = new Set<string>([...(group.subTypes ?? []), ...offer.subTypes]);
    if (kinds.size > 0) group.subTypes = [...kinds];
    group.offers.push([offer.offerId, offer.shortNotes, leastPrice(offer)]);
    groups.set(key, group);
    names.set(brand, offer.brandName);
  }
  return {
    brands: [...names].map(([brand, brandName]) => {
      const { brandColor = "" } = brands.get(brand) ?? {};
      return { brand, brandName, brandColor };
    }),
    groups: [...groups.values()],
  };
}

function leastPrice({ price }: Offer): number {
  return (price.fixed ?? price.min ?? 0) + price.fee;
}
