import {
  BillPayOffer,
  BillPayOfferPage,
  EsimOffer,
  EsimOfferPage,
  OfferParams,
  OfferQuery,
  TopupOffer,
  TopupOfferPage,
  TopupOfferQuery,
  VoucherOffer,
  VoucherOfferPage,
} from "../../contract/v1/offers.ts";
import { type App, answers, principalOf } from "../../http/app-types.ts";
import { CATALOG_ANSWER } from "../../http/catalog-answers.ts";
import { preparedJson } from "../../http/prepared-json.ts";
import type { CatalogService } from "./catalog-service.ts";

/** What is told of each product family's offers (spec §4.3 to §4.6). */
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
  {
    path: "/esim",
    family: "ESIM",
    tag: "eSIM",
    one: "EsimOffer",
    words: "eSIM",
    query: OfferQuery,
    offer: EsimOffer,
    page: EsimOfferPage,
  },
  {
    path: "/billpay",
    family: "BILL_PAY",
    tag: "BillPay",
    one: "BillPayOffer",
    words: "bill-pay",
    query: OfferQuery,
    offer: BillPayOffer,
    page: BillPayOfferPage,
  },
] as const;

/**
 * `/topups/offers`, `/vouchers/offers` … : the same two operations for each family. What they answer
 * was made ready by the family's schema, see `CatalogService`.
 */
export function registerOfferRoutes(app: App, catalog: CatalogService): void {
  for (const { path, family, tag, one, words, query, offer, page } of FAMILIES) {
    app.get(
      `${path}/offers`,
      {
        config: CATALOG_ANSWER,
        schema: {
          operationId: `list${one}s`,
          summary: `List ${words} offers`,
          tags: [tag],
          querystring: query,
          response: answers(page),
        },
      },
      async (request, reply) => {
        const { _limit: limit, _offset: offset, ...filter } = request.query;
        const page = { limit, offset };
        const json = await catalog.listOffers(principalOf(request), family, filter, page);
        return preparedJson(reply, json);
      },
    );

    app.get(
      `${path}/offers/:offerId`,
      {
        config: CATALOG_ANSWER,
        schema: {
          operationId: `get${one}`,
          summary: `Get ${words === "eSIM" ? "an" : "a"} ${words} offer`,
          tags: [tag],
          params: OfferParams,
          response: answers(offer),
        },
      },
      async (request, reply) => {
        const { offerId } = request.params;
        const text = await catalog.getOfferText(principalOf(request), family, offerId);
        return preparedJson(reply, text);
      },
    );
  }
}
