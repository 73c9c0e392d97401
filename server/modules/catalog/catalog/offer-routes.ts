import type { FastifyRequest } from "fastify";
import { FAMILIES, FAMILY_FACTS, wordsOf } from "../../../contract/pos/families.ts";
import { OFFER_SCHEMAS, OfferParams } from "../../../contract/v1/offers.ts";
import { type App, answers, clientOf } from "../../../http/app-types.ts";
import { CATALOG_ANSWER } from "../../../http/catalog-answers.ts";
import { preparedJson } from "../../../http/remembered-answers.ts";
import type { CatalogService } from "./catalog-service.ts";

export function registerOfferRoutes(app: App, catalog: CatalogService): void {
  for (const family of FAMILIES) {
    const { path, tag, name, words } = FAMILY_FACTS[family];
    const { query, offer, page } = OFFER_SCHEMAS[family];
    app.get(
      `/${path}/offers`,
      {
        config: CATALOG_ANSWER,
        // Runs after the key and rate checks. A cached page needs no validation of the query.
        preParsing(request, reply, payload, done) {
          const page = catalog.recallPage(forApi(request), request.url);
          if (page) reply.send(preparedJson(reply, page));
          else done(null, payload);
        },
        schema: {
          operationId: `list${name}Offers`,
          summary: `List ${wordsOf(family)} offers`,
          tags: [tag],
          querystring: query,
          response: answers(page),
        },
      },
      async (request, reply) => {
        const { _limit: limit, _offset: offset, ...filter } = request.query;
        const asked = { filter, limit, offset, address: request.url };
        const json = await catalog.listOffers(forApi(request), family, asked);
        return preparedJson(reply, json);
      },
    );

    app.get(
      `/${path}/offers/:offerId`,
      {
        config: CATALOG_ANSWER,
        schema: {
          operationId: `get${name}Offer`,
          summary: `Get ${words} offer`,
          tags: [tag],
          params: OfferParams,
          response: answers(offer),
        },
      },
      async (request, reply) => {
        const { offerId } = request.params;
        const text = await catalog.getOfferText(forApi(request), family, offerId);
        return preparedJson(reply, text);
      },
    );
  }
}

function forApi(request: FastifyRequest) {
  return { ...clientOf(request), channel: "API" as const };
}
