import type { Offer } from "../../contract/v1/offers.ts";
import type { Scope } from "../../db/changes.ts";
import type { Db } from "../../db/database.ts";
import { JsonMisfit } from "../../lib/checked-json.ts";
import { pause } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { CatalogBrand, CatalogPromo } from "./catalog-content.ts";
import { readBrand, readOffer, readPromo } from "./catalog-items.ts";
import {
  findCatalogVersion,
  findEdition,
  listBrandTexts,
  listOfferTexts,
  listPromoTexts,
} from "./catalog-store.ts";

/** A catalog as it is stated, before it is priced. */
interface Stated {
  version: number;
  offers: readonly Offer[];
  brands: readonly CatalogBrand[];
  promos: readonly CatalogPromo[];
}

/** The catalogs as they are stated, each read once for a version, however often it is priced. */
export class StatedCatalog {
  readonly #deps: { db: Db; log: Log };
  readonly #known = new Map<string, Promise<Stated>>();

  constructor(deps: { db: Db; log: Log }) {
    this.#deps = deps;
  }

  /** What is stated at a version, or at a later one. */
  async get(scope: Scope, version: number): Promise<Stated> {
    const key = `${scope.accountId}/${scope.environment}`;
    for (;;) {
      const known = this.#known.get(key);
      const stated = await known;
      if (stated && stated.version >= version) return stated;
      // Another request that waited for the same has begun to read meanwhile.
      if (this.#known.get(key) !== known) continue;
      const reading = this.#read(scope);
      this.#known.set(key, reading);
      reading.catch(() => this.#known.delete(key));
    }
  }

  /** Reads in pages, so that other requests are answered meanwhile. */
  async #read(scope: Scope): Promise<Stated> {
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
            "a fault of the disk changed an offer: it is not sold",
          );
        }
        offers.push(...this.#readAll(scope, intact, readOffer));
        await pause();
      }
      const brands = this.#readAll(scope, await listBrandTexts(db, edition), readBrand);
      const promos = this.#readAll(scope, await listPromoTexts(db, edition), readPromo);
      // It is of one piece only when nobody replaced the catalog meanwhile.
      if (((await findCatalogVersion(db, scope)) ?? 0) === version) {
        return { version, offers, brands, promos };
      }
    }
  }

  /** Leaves out what cannot be read, and says so: the rest of the catalog is sold. */
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
