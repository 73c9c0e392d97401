import type { ScopedAuthor } from "../../../contract/pos/actor.ts";
import type { Family } from "../../../contract/pos/families.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Offer } from "../../../contract/v1/offers.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import type { Transactor } from "../../../db/transactor.ts";
import type { Clock } from "../../../lib/clock.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import {
  type CatalogService,
  noteChoice,
  type ProviderRouting,
  providerOf,
  readRouting,
  writeRouting,
} from "../../catalog/catalog/index.ts";
import { listUpstreams } from "./upstream-store.ts";

interface ProviderOrdersDeps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  catalog: CatalogService;
}

/** Products to which an order applies: all products without any of them. */
interface OrderTarget {
  brand?: string | undefined;
  country?: string | undefined;
  family?: Family | undefined;
}

/** The owner's choice of a provider for each product, and brands that are sold as one. */
export class ProviderOrders {
  readonly #deps: ProviderOrdersDeps;

  constructor(deps: ProviderOrdersDeps) {
    this.#deps = deps;
  }

  read(scope: Scope): Promise<ProviderRouting> {
    return readRouting(this.#deps.db, scope);
  }

  /**
   * Replaces the order of these products.
   * @param providers ids, the preferred first; empty for the cheapest that works
   * @throws Problem INVALID_REQUEST, NOT_FOUND for an unknown provider or brand
   */
  async setOrder(
    author: ScopedAuthor,
    { brand, country, family }: OrderTarget,
    providers: readonly string[],
  ): Promise<void> {
    if (new Set(providers).size < providers.length) {
      const rule = "must name each provider once";
      throw new Problem("INVALID_REQUEST", `The order ${rule}.`, { providers: rule });
    }
    if (brand !== undefined) await this.#requireBrand(author, brand);
    const target = {
      ...(brand !== undefined && { brand }),
      ...(country !== undefined && { country }),
      ...(family !== undefined && { family }),
    };
    const detail = { ...target, order: providers.join(", ") };
    await this.#change(author, detail, async (tx, routing) => {
      const { orders } = routing;
      const known = (await listUpstreams(tx, author)).map(({ providerId }) => providerId);
      const unknown = providers.find((one) => !known.includes(one));
      if (unknown !== undefined) {
        throw new Problem("NOT_FOUND", `There is no provider ${unknown}.`);
      }
      const others = orders.filter(
        (one) => one.brand !== brand || one.country !== country || one.family !== family,
      );
      const order = { ...target, providers: [...providers] };
      return { ...routing, orders: [...others, order] };
    });
  }

  /**
   * Sells a brand of a later provider as the same brand as another one.
   * @param as undefined separates the brands again
   * @throws Problem INVALID_REQUEST, NOT_FOUND for an unknown brand
   */
  async join(author: ScopedAuthor, brand: string, as: string | undefined): Promise<void> {
    if (brand === as) {
      const rule = "must be another brand";
      throw new Problem("INVALID_REQUEST", `The second brand ${rule}.`, { as: rule });
    }
    await this.#requireBrand(author, brand);
    if (as !== undefined) await this.#requireBrand(author, as);
    const detail = { brand, ...(as !== undefined && { as }) };
    await this.#change(author, detail, async (_tx, routing) => {
      const { [brand]: _before, ...others } = routing.joined;
      if (as === undefined) return { ...routing, joined: others };
      // A chain of brands would have no end that is sure to exist.
      if (as in others || Object.values(others).includes(brand)) {
        const message = `${as} or ${brand} is joined to another brand already.`;
        throw new Problem("INVALID_REQUEST", message, { as: "is joined already" });
      }
      return { ...routing, joined: { ...others, [brand]: as } };
    });
  }

  /**
   * Sells an offer that matches several others as one of them.
   * @param as id of an offer of an earlier provider; undefined sells the offer apart
   * @throws Problem INVALID_REQUEST naming `as`, NOT_FOUND for an offer without several matches
   */
  async joinProducts(author: ScopedAuthor, offerId: string, as: string | undefined): Promise<void> {
    const { accountId, environment } = author;
    const { unclear } = await this.#deps.catalog.getSupplied({ accountId, environment });
    const group = unclear.find((one) => one.some((offer) => offer.offerId === offerId));
    if (!group) throw new Problem("NOT_FOUND", `${offerId} does not match several offers.`);
    const ids = group.map((offer) => offer.offerId);
    const own = providerOf(group[ids.indexOf(offerId)] as Offer);
    const other = as === undefined ? undefined : group[ids.indexOf(as)];
    const isEarlier =
      other && providerOf(other) !== own && ids.indexOf(as ?? "") < ids.indexOf(offerId);
    if (as !== undefined && !isEarlier) {
      const rule = "must be an offer of an earlier provider that it matches";
      throw new Problem("INVALID_REQUEST", `The other offer ${rule}.`, { as: rule });
    }
    const detail = { offerId, ...(as !== undefined && { as }) };
    await this.#change(author, detail, async (_tx, routing) => {
      const { [offerId]: _before, ...others } = routing.products ?? {};
      if (as === undefined) return { ...routing, products: others };
      const isTaken = group.some((one) => providerOf(one) === own && others[one.offerId] === as);
      if (isTaken || as in others || Object.values(others).includes(offerId)) {
        const message = "One of the two offers is sold as another one already.";
        throw new Problem("INVALID_REQUEST", message, { as: "is joined already" });
      }
      return { ...routing, products: { ...others, [offerId]: as } };
    });
  }

  async #requireBrand({ accountId, environment }: Scope, brand: string): Promise<void> {
    const { brands } = await this.#deps.catalog.getSnapshot({ accountId, environment });
    if (!brands.has(brand)) throw new Problem("NOT_FOUND", `There is no brand ${brand}.`);
  }

  async #change(
    { accountId, environment, staffId }: ScopedAuthor,
    detail: Record<string, string>,
    change: (tx: Tx, routing: ProviderRouting) => Promise<ProviderRouting>,
  ): Promise<void> {
    const { transactor, clock } = this.#deps;
    const scope = { accountId, environment };
    const at = clock.now();
    await transactor.transact(accountId, async (tx) => {
      await writeRouting(tx, scope, await change(tx, await readRouting(tx, scope)));
      await noteChoice(tx, scope, { subject: "upstream", at });
      const action = "upstream.order" as const;
      await recordAudit(tx, { accountId, staffId, action, subject: environment, detail, at });
    });
  }
}
