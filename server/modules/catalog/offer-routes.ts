import {
  OfferParams,
  OfferQuery,
  TopupOffer,
  TopupOfferPage,
  TopupOfferQuery,
  VoucherOffer,
  VoucherOfferPage,
} from "../../contract/v1/offers.ts";
import { type App, answers, principalOf } from "../../http/app-types.ts";
import type { CatalogService } from "./catalog-service.ts";

/** What is told of each product family's offers (spec §4.3, §4.4). */
const FAMILIES = [
  {
    path: "/topups",
    family: "TOPUP",
    tag: "Topups",
    one: "TopupOffer",
    words: "top-up",
    query: TopupOfferQuery,
    offer: TopupOffer,
    page: TopupOfferPage,
  },
  {
    path: "/vouchers",
    family: "VOUCHER",
    tag: "Vouchers",
    one: "VoucherOffer",
    words: "voucher",
    query: OfferQuery,
    offer: VoucherOffer,
    page: VoucherOfferPage,
  },
] as const;

/**
 * `/topups/offers`, `/vouchers/offers` … : the same two operations for each family. A family's schema
 * and its offers belong together, which the union of the table's rows hides from the compiler.
 */
export function registerOfferRoutes(app: App, catalog: CatalogService): void {
  for (const { path, family, tag, one, words, query, offer, page } of FAMILIES) {
    app.get(
      `${path}/offers`,
      {
        schema: {
          operationId: `list${one}s`,
          summary: `List ${words} offers`,
          tags: [tag],
          querystring: query,
          response: answers(page),
        },
      },
      async (request) => {
        const { _limit: limit, _offset: offset, ...filter } = request.query;
        const found = await catalog.listOffers(principalOf(request), family, filter, {
          limit,
          offset,
        });
        return { limit, offset, ...found } as never;
      },
    );

    app.get(
      `${path}/offers/:offerId`,
      {
        schema: {
          operationId: `get${one}`,
          summary: `Get a ${words} offer`,
          tags: [tag],
          params: OfferParams,
          response: answers(offer),
        },
      },
      (request) =>
        catalog.getOffer(principalOf(request), family, request.params.offerId) as Promise<never>,
    );
  }
}
