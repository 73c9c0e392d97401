import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { CatalogService } from "../../catalog/catalog/index.ts";
import type { Base, Module } from "../../module.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import { type Scope, SearchIndexService } from "./search-index-service.ts";
import { UsualChoiceService } from "./usual-choice-service.ts";

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
