import { type Static, Type } from "typebox";
import { currencyUnit, MinorAmount } from "../common.ts";
import { EsimArea } from "./esims.ts";
import { Family } from "./families.ts";
import { defineOperation } from "./operation.ts";

/** An item that the shop sells often, recently, or at this time of day. */
const UsualChoice = Type.Object({
  productType: Family,
  brand: Type.String(),
  country: Type.String({ description: "ISO 3166-1 alpha-2, empty for a regional eSIM" }),
  offerId: Type.String(),
  share: Type.Number({
    minimum: 0,
    maximum: 1,
    description: "Frequency relative to the most usual item, which has 1",
  }),
});
export type UsualChoice = Static<typeof UsualChoice>;

/** `GET /pos/usual-choices`: usual items of this hour, most usual first. */
export const UsualChoices = Type.Object({ list: Type.Array(UsualChoice) });
export type UsualChoices = Static<typeof UsualChoices>;

/** A sellable item: `[offerId, title, price]`. A RANGE offer has its minimum price. */
const SearchOffer = Type.Tuple([Type.String(), Type.String(), MinorAmount]);

/**
 * `GET /pos/search-index`: all items, which the till stores and searches while a clerk types (1.3
 * MB for 20,000 offers). `etag` changes with the catalog and its prices, for `If-None-Match`.
 */
export const PosSearchIndex = Type.Object({
  ...currencyUnit,
  brands: Type.Array(
    Type.Object({ brand: Type.String(), brandName: Type.String(), brandColor: Type.String() }),
  ),
  groups: Type.Array(
    Type.Object({
      productType: Family,
      brand: Type.String(),
      country: Type.String({ description: "ISO 3166-1 alpha-2, empty for a regional eSIM" }),
      area: Type.Optional(EsimArea),
      subTypes: Type.Optional(
        Type.Array(Type.String(), { description: "Absent if there are none" }),
      ),
      offers: Type.Array(SearchOffer),
    }),
  ),
});
export type PosSearchIndex = Static<typeof PosSearchIndex>;

export const searchOperations = {
  getIndex: defineOperation({
    method: "GET",
    path: "/search-index",
    answer: PosSearchIndex,
    access: "seller",
  }),
  listUsualChoices: defineOperation({
    method: "GET",
    path: "/usual-choices",
    answer: UsualChoices,
    access: "seller",
  }),
};
