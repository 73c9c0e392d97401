import { type Static, Type } from "typebox";
import { CountryCode, CurrencyCode, CurrencyDivisor, Input, Timestamp } from "../common.ts";
import { FAMILIES } from "./families.ts";
import { ChangeCounts, UpstreamSyncReport } from "./upstream.ts";

/** The most offers that are named of what is new and what is gone. */
export const OFFERS_NAMED = 10;
/** The largest changes of cost that are shown. */
export const COST_CHANGES_SHOWN = 10;

const { sections: _sections, ...syncNotes } = UpstreamSyncReport.properties;

const NamedOffer = Type.Object({
  offerId: Type.String(),
  brandName: Type.String(),
  country: CountryCode,
  productType: Type.Enum([...FAMILIES]),
});

/** What an offer costs the wallet, before and after: minor units where it is fixed. */
const CostChange = Type.Object({
  ...NamedOffer.properties,
  percent: Type.Number({ description: "Of the cost before; negative where it became cheaper" }),
  fixed: Type.Optional(
    Type.Object({
      before: Type.Integer(),
      after: Type.Integer(),
      currency: CurrencyCode,
      currencyDivisor: CurrencyDivisor,
    }),
  ),
});
export type CostChange = Static<typeof CostChange>;

/** How a catalog that was fetched differs from the one that is sold by. */
export const CatalogDifference = Type.Object({
  isFirst: Type.Boolean({ description: "Nothing is sold by another one yet" }),
  offers: Type.Object({
    total: Type.Integer(),
    added: Type.Integer(),
    removed: Type.Integer(),
    cheaper: Type.Integer(),
    dearer: Type.Integer(),
    changed: Type.Integer({ description: "In something other than what they cost" }),
  }),
  added: Type.Array(NamedOffer, { description: "The first of them, by id" }),
  removed: Type.Array(NamedOffer, { description: "The first of them, by id" }),
  costChanges: Type.Array(CostChange, { description: "The largest first" }),
  brands: ChangeCounts,
  promos: ChangeCounts,
  forCountry: Type.Optional(
    Type.Object(
      { country: CountryCode, offers: Type.Integer() },
      { description: "Offers that can be sold for the shop's own country" },
    ),
  ),
  ...syncNotes,
});
export type CatalogDifference = Static<typeof CatalogDifference>;

/** `GET /pos/upstream/catalog`: the catalog that waits for an owner; nothing where none does. */
export const WaitingCatalog = Type.Object({
  waiting: Type.Optional(Type.Object({ fetchedAt: Timestamp, difference: CatalogDifference })),
});
export type WaitingCatalog = Static<typeof WaitingCatalog>;

/** `POST /pos/upstream/catalog/acceptance`: by when it was fetched, so that none is taken unread. */
export const AcceptanceInput = Input({ fetchedAt: Timestamp });
