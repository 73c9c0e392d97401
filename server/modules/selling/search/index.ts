import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type {
  PosSearchIndex,
  UsualChoice,
  UsualChoices,
} from "../../../contract/pos/search-index.ts";
import type { Offer } from "../../../contract/v1/offers.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import { inSameScope, inScope } from "../../../db/scope-filters.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import { type Clock, DAY, HOUR } from "../../../lib/clock.ts";
import type { CatalogService } from "../../catalog/catalog/index.ts";
import { getArea } from "../../catalog/counter-catalog/index.ts";
import type { Base, Module } from "../../module.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import type { SalesScope } from "../sales/index.ts";

type SearchModuleDeps = Base & { catalog: CatalogService; shop: ShopService };

export function createSearchModule(deps: SearchModuleDeps) {
  const search = new SearchIndexService(deps);
  return {
    services: { search },
    pos: (app) => registerSearchRoutes(app, search, new UsualChoiceService(deps)),
  } satisfies Module;
}

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

async function registerSearchRoutes(
  app: App,
  search: SearchIndexService,
  usual: UsualChoiceService,
): Promise<void> {
  const { priceOperations } = await import("../../../contract/pos/price-lists.ts");
  const { searchOperations } = await import("../../../contract/pos/search-index.ts");
  async function send(scope: Scope, { request, reply }: Exchange) {
    const { text, etag } = await search.get(scope);
    reply.headers({ etag, "cache-control": "private, no-cache" });
    if (request.headers["if-none-match"] === etag) return reply.status(304).send();
    return reply.type("application/json; charset=utf-8").send(text);
  }

  handle(app, searchOperations.getIndex, ({ actor, ...exchange }) => send(actor, exchange));

  handle(app, searchOperations.listUsualChoices, ({ actor }) => usual.list(actor));

  handle(app, priceOperations.listOffers, ({ actor: { accountId }, params, ...exchange }) =>
    send({ accountId, ...params }, exchange),
  );
}

type Snapshot = Awaited<ReturnType<CatalogService["getSnapshot"]>>;
type Group = PosSearchIndex["groups"][number];

interface PreparedIndex {
  text: string;
  etag: string;
}

class SearchIndexService {
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

const DEPTH = 1_000;
const MAX_LISTED = 40;
const HALF_LIFE_MS = 7 * DAY;
const AT_THIS_HOUR = 3;
const NEAR_THIS_HOUR = 2;

type Line = Pick<UsualChoice, "productType" | "brand" | "country" | "offerId"> & {
  readonly soldAt: number;
};

/**
 * Ranks offers by frequency, age and time of day. Reads only the newest lines, so that the cost
 * does not grow over the years. Training has its own ranking.
 */
class UsualChoiceService {
  readonly #db: Db;
  readonly #clock: Clock;

  constructor({ db, clock }: { db: Db; clock: Clock }) {
    this.#db = db;
    this.#clock = clock;
  }

  async list(scope: SalesScope): Promise<UsualChoices> {
    // Limits the lines before it filters by training. Otherwise, the query would scan all lines to
    // find enough lines of the rarer mode.
    const newest = this.#db
      .selectFrom("sale_lines")
      .select(["account_id", "environment", "sale_id", "transaction_id"])
      .select(["product_type", "created_at"])
      .where(inScope(scope))
      .orderBy("created_at", "desc")
      .limit(DEPTH);
    const lines = await this.#db
      .selectFrom(newest.as("l"))
      .innerJoin("sales as s", inSameScope("s", "l", "sale_id"))
      .innerJoin("purchases as p", inSameScope("p", "l", "transaction_id"))
      .where("s.training", "=", scope.training ? 1 : 0)
      .select([
        "l.product_type as productType",
        "p.brand as brand",
        "p.country as country",
        "p.offer_id as offerId",
        "l.created_at as soldAt",
      ])
      .execute();
    return { list: rankUsual(lines, this.#clock.now()) };
  }
}

/** Ranks offers, the most usual first. Weights are relative to the first offer. */
export function rankUsual(lines: readonly Line[], now: number): UsualChoice[] {
  const weights = new Map<string, { line: Line; weight: number }>();
  for (const line of lines) {
    const known = weights.get(line.offerId);
    const weight = (known?.weight ?? 0) + toWeight(line.soldAt, now);
    weights.set(line.offerId, { line: known?.line ?? line, weight });
  }
  const ranked = [...weights.values()].sort(
    (a, b) => b.weight - a.weight || a.line.offerId.localeCompare(b.line.offerId),
  );
  const most = ranked[0]?.weight ?? 1;
  return ranked.slice(0, MAX_LISTED).map(({ line, weight }) => {
    const { productType, brand, country, offerId } = line;
    return { productType, brand, country, offerId, share: Math.round((weight / most) * 1e4) / 1e4 };
  });
}

function toWeight(soldAt: number, now: number): number {
  const recency = 0.5 ** (Math.max(0, now - soldAt) / HALF_LIFE_MS);
  const apart = Math.abs(now - soldAt) % DAY;
  const hours = Math.min(apart, DAY - apart) / HOUR;
  if (hours <= 1) return AT_THIS_HOUR * recency;
  return hours <= 3 ? NEAR_THIS_HOUR * recency : recency;
}
