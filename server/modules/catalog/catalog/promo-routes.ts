import { Promo, PromoPage, PromoParams, PromoQuery } from "../../../contract/v1/promos.ts";
import { type App, answers, clientOf } from "../../../http/app-types.ts";
import { CATALOG_ANSWER } from "../../../http/catalog-answers.ts";
import type { PromoService } from "./promo-service.ts";

const tags = ["Promotions"];

export function registerPromoRoutes(app: App, promos: PromoService): void {
  app.get(
    "/promos",
    {
      config: CATALOG_ANSWER,
      schema: {
        operationId: "listPromos",
        summary: "List promotions",
        tags,
        querystring: PromoQuery,
        response: answers(PromoPage),
      },
    },
    async (request) => {
      const { _limit: limit, _offset: offset, ...filter } = request.query;
      const found = await promos.list(clientOf(request), filter, { limit, offset });
      return { limit, offset, ...found };
    },
  );

  app.get(
    "/promos/:promoId",
    {
      config: CATALOG_ANSWER,
      schema: {
        operationId: "getPromo",
        summary: "Get a promotion",
        tags,
        params: PromoParams,
        response: answers(Promo),
      },
    },
    (request) => promos.get(clientOf(request), request.params.promoId),
  );
}
