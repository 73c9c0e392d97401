import {
  OfferParams,
  TopupOffer,
  TopupOfferPage,
  TopupOfferQuery,
} from "../../contract/v1/offers.ts";
import { type App, answers, principalOf } from "../../http/app-types.ts";
import type { CatalogService } from "./catalog-service.ts";

/** `/topups/offers` (spec §4.3). */
export function registerTopupOfferRoutes(app: App, catalog: CatalogService): void {
  app.get(
    "/topups/offers",
    {
      schema: {
        operationId: "listTopupOffers",
        summary: "List top-up offers",
        tags: ["Topups"],
        querystring: TopupOfferQuery,
        response: answers(TopupOfferPage),
      },
    },
    async (request) => {
      const { _limit: limit, _offset: offset, ...filter } = request.query;
      const found = await catalog.listOffers(principalOf(request), filter, { limit, offset });
      return { limit, offset, ...found };
    },
  );

  app.get(
    "/topups/offers/:offerId",
    {
      schema: {
        operationId: "getTopupOffer",
        summary: "Get a top-up offer",
        tags: ["Topups"],
        params: OfferParams,
        response: answers(TopupOffer),
      },
    },
    (request) => catalog.getOffer(principalOf(request), request.params.offerId),
  );
}
