import { type Static, Type } from "typebox";
import {
  currencyUnit,
  Environment,
  Input,
  MinorAmount,
  PLAIN_TEXT,
  PriceType,
  Timestamp,
} from "../common.ts";
import { Family } from "./families.ts";
import { defineOperation } from "./operation.ts";

const CatalogParams = Input({ environment: Environment });

const Code = Type.String({ minLength: 1, maxLength: 128, ...PLAIN_TEXT });
const Country = Type.String({ pattern: "^[A-Z]{2}$" });

/**
 * ON: sold. OFF: switched off by the owner. BLOCKED: has no price. UNAVAILABLE:
 * disabled in the catalog.
 */
export const OFFER_STATES = ["ON", "OFF", "BLOCKED", "UNAVAILABLE"] as const;
const OfferState = Type.Enum(OFFER_STATES, {
  description:
    "ON is sold; OFF was switched off by an owner; BLOCKED has no price above its floor; UNAVAILABLE is disabled by the catalog itself",
});
export type OfferState = Static<typeof OfferState>;

/** Filters of offers; an offer must match all of them. */
const filters = {
  family: Type.Optional(Family),
  country: Type.Optional(Country),
  brand: Type.Optional(Code),
  subType: Type.Optional(Code),
};

/**
 * `GET /pos/catalog/:environment/offers`: offers by brand, country and price. `after` is the last
 * `offerId` of the previous page.
 */
export const CatalogQuery = Input({
  ...filters,
  text: Type.Optional(Type.String({ maxLength: 100, ...PLAIN_TEXT })),
  state: Type.Optional(OfferState),
  after: Type.Optional(Code),
  limit: Type.Integer({ minimum: 1, maximum: 500 }),
});
export type CatalogQuery = Static<typeof CatalogQuery>;

const amounts = {
  ...currencyUnit,
  fixed: Type.Optional(MinorAmount),
  min: Type.Optional(MinorAmount),
  max: Type.Optional(MinorAmount),
};

export const CatalogRow = Type.Object({
  offerId: Type.String(),
  family: Family,
  brand: Type.String(),
  brandName: Type.String(),
  country: Type.String({ description: "Empty for a regional eSIM" }),
  subTypes: Type.Array(Type.String()),
  notes: Type.String(),
  priceType: PriceType,
  cost: Type.Optional(
    Type.Object(amounts, {
      description: "Present for people who may see figures or change prices",
    }),
  ),
  price: Type.Object(amounts),
  state: OfferState,
  pinned: Type.Boolean(),
});
export type CatalogRow = Static<typeof CatalogRow>;

export const CatalogPage = Type.Object({
  total: Type.Integer({ description: "Exact number of matching offers" }),
  list: Type.Array(CatalogRow),
  more: Type.Boolean(),
});
export type CatalogPage = Static<typeof CatalogPage>;

const Count = Type.Object({ code: Type.String(), offers: Type.Integer() });

/** `GET /pos/catalog/:environment`: filter values, sorted by number of offers, descending. */
export const CatalogSummary = Type.Object({
  version: Type.Integer({ description: "0 without a catalog" }),
  updatedAt: Type.Optional(Timestamp),
  source: Type.Optional(Type.String()),
  offers: Type.Integer(),
  states: Type.Array(Type.Object({ state: OfferState, offers: Type.Integer() })),
  families: Type.Array(Type.Object({ family: Family, offers: Type.Integer() })),
  countries: Type.Array(Count),
  brands: Type.Array(Type.Object({ ...Count.properties, name: Type.String() })),
  subTypes: Type.Array(Count),
});
export type CatalogSummary = Static<typeof CatalogSummary>;

/**
 * Offers that are switched together: one offer, or all that match the filters. An
 * empty target is refused.
 */
export const SwitchTarget = Input({ ...filters, offerId: Type.Optional(Code) });
export type SwitchTarget = Static<typeof SwitchTarget>;

export const SwitchInput = Input({ target: SwitchTarget, enabled: Type.Boolean() });
export type SwitchInput = Static<typeof SwitchInput>;

/** `POST /pos/catalog/:environment/switches/preview`: effect of a switch. */
export const SwitchPreview = Type.Object({
  offers: Type.Integer({ description: "Number of matching offers" }),
  changes: Type.Integer({ description: "Number of them that it shows or hides" }),
});
export type SwitchPreview = Static<typeof SwitchPreview>;

/** An owner's switch. If several switches match an offer, the latest applies. */
export const CatalogSwitch = Type.Object({
  sequence: Type.Integer(),
  target: SwitchTarget,
  enabled: Type.Boolean(),
  offers: Type.Integer({ description: "Number of offers that it showed or hid at the time" }),
  at: Timestamp,
  staff: Type.Optional(Type.Object({ staffId: Type.String(), name: Type.String() })),
  undoneAt: Type.Optional(Timestamp),
});
export type CatalogSwitch = Static<typeof CatalogSwitch>;

/** Switches, newest first. */
export const CatalogSwitches = Type.Object({ list: Type.Array(CatalogSwitch) });
export type CatalogSwitches = Static<typeof CatalogSwitches>;

const SwitchParams = Input({
  environment: Environment,
  sequence: Type.String({ pattern: "^[0-9]{1,9}$", description: "the number of a switch" }),
});

const MOST_PINNED = 12;

/** `PUT /pos/catalog/:environment/pins`: offers of a family that the counter shows first. */
export const PinInput = Input({
  family: Family,
  offerIds: Type.Array(Code, { maxItems: MOST_PINNED, uniqueItems: true }),
});
export type PinInput = Static<typeof PinInput>;

/** Pinned offers in the counter's order. `offer` is absent if the catalog no longer contains it. */
export const CatalogPins = Type.Object({
  list: Type.Array(
    Type.Object({ family: Family, offerId: Type.String(), offer: Type.Optional(CatalogRow) }),
  ),
});
export type CatalogPins = Static<typeof CatalogPins>;

/** Outcome of an import or a sync. `failure` states why nothing was changed. */
const CatalogUpdate = Type.Object({
  at: Timestamp,
  kind: Type.Enum(["IMPORT", "SYNC"]),
  source: Type.String(),
  staff: Type.Optional(Type.Object({ staffId: Type.String(), name: Type.String() })),
  version: Type.Optional(Type.Integer()),
  added: Type.Integer(),
  changed: Type.Integer(),
  removed: Type.Integer(),
  failure: Type.Optional(Type.String()),
});

/** `GET /pos/catalog/:environment/updates`, newest first. */
export const CatalogUpdates = Type.Object({ list: Type.Array(CatalogUpdate) });
export type CatalogUpdates = Static<typeof CatalogUpdates>;

const OF_THE_CATALOG = {
  params: CatalogParams,
  access: "staff",
  right: "changeCatalog",
} as const;

export const officeCatalogOperations = {
  summarize: defineOperation({
    ...OF_THE_CATALOG,
    method: "GET",
    path: "/catalog/:environment",
    answer: CatalogSummary,
  }),
  listOffers: defineOperation({
    ...OF_THE_CATALOG,
    method: "GET",
    path: "/catalog/:environment/offers",
    query: CatalogQuery,
    answer: CatalogPage,
  }),
  listSwitches: defineOperation({
    ...OF_THE_CATALOG,
    method: "GET",
    path: "/catalog/:environment/switches",
    answer: CatalogSwitches,
  }),
  previewSwitch: defineOperation({
    ...OF_THE_CATALOG,
    method: "POST",
    path: "/catalog/:environment/switches/preview",
    body: SwitchInput,
    answer: SwitchPreview,
  }),
  switch: defineOperation({
    ...OF_THE_CATALOG,
    method: "POST",
    path: "/catalog/:environment/switches",
    body: SwitchInput,
    answer: CatalogSwitch,
    refusals: ["NOT_FOUND"],
  }),
  undoSwitch: defineOperation({
    ...OF_THE_CATALOG,
    method: "DELETE",
    path: "/catalog/:environment/switches/:sequence",
    params: SwitchParams,
    answer: CatalogSwitches,
    refusals: ["NOT_FOUND"],
  }),
  listPins: defineOperation({
    ...OF_THE_CATALOG,
    method: "GET",
    path: "/catalog/:environment/pins",
    answer: CatalogPins,
  }),
  savePins: defineOperation({
    ...OF_THE_CATALOG,
    method: "PUT",
    path: "/catalog/:environment/pins",
    body: PinInput,
    answer: CatalogPins,
    refusals: ["NOT_FOUND"],
  }),
  listUpdates: defineOperation({
    ...OF_THE_CATALOG,
    method: "GET",
    path: "/catalog/:environment/updates",
    answer: CatalogUpdates,
  }),
};
