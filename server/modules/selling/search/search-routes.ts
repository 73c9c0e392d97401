import type { FastifyReply, FastifyRequest } from "fastify";
import { priceOperations } from "../../../contract/pos/price-lists.ts";
import { searchOperations } from "../../../contract/pos/search-index.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { Scope, SearchIndexService } from "./search-index-service.ts";
import type { UsualChoiceService } from "./usual-choice-service.ts";

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

export function registerSearchRoutes(
  app: App,
  search: SearchIndexService,
  usual: UsualChoiceService,
): void {
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
