import { type Static, Type } from "typebox";
import {
  CountryCode,
  CurrencyCode,
  CurrencyDivisor,
  Input,
  MinorAmount,
  Timestamp,
} from "../common.ts";
import { FAMILIES } from "./families.ts";
import { defineOperation, NOTHING } from "./operation.ts";
import { ProviderDeviation } from "./provider-answers.ts";

/** An upstream's wallet beside ours; minor units of one currency. */
export const UpstreamComparison = Type.Object({
  comparedAt: Timestamp,
  upstream: MinorAmount,
  available: MinorAmount,
  held: MinorAmount,
  difference: Type.Integer({ description: "upstream less available and held" }),
  currency: CurrencyCode,
  currencyDivisor: CurrencyDivisor,
});
export type UpstreamComparison = Static<typeof UpstreamComparison>;

/** Items of a section of the catalog. */
const ChangeCounts = Type.Object({
  added: Type.Integer(),
  changed: Type.Integer(),
  removed: Type.Integer(),
});

/** `POST /pos/upstream/sync`: what a sync changed in our catalog, and what it could not take. */
export const UpstreamSyncReport = Type.Object({
  sections: Type.Record(Type.String(), ChangeCounts, {
    description: "By the section of the catalog: brands, the offers of each family, promos",
  }),
  leftOut: Type.Array(Type.String(), { description: "The first of what cannot be sold, and why" }),
  leftOutCount: Type.Integer(),
  leftOutReasons: Type.Optional(
    Type.Array(Type.Object({ reason: Type.String(), count: Type.Integer() }), {
      description: "The reasons, the most frequent first",
    }),
  ),
  unread: Type.Optional(
    Type.Array(Type.Object({ part: Type.String(), reason: Type.String() }), {
      description: "Parts of its catalog that could not be read: they stay as they were",
    }),
  ),
  deviations: Type.Optional(
    Type.Array(
      Type.Object({ what: Type.String(), count: Type.Integer(), example: Type.String() }),
      { description: "Fields that are not as the contract has them, the most frequent first" },
    ),
  ),
});
export type UpstreamSyncReport = Static<typeof UpstreamSyncReport>;

/** `GET /pos/upstream`: the gateway that the live environment sells through. Never its key. */
export const UpstreamState = Type.Object({
  connected: Type.Boolean(),
  baseUrl: Type.String({ description: "The last one, if it is disconnected; empty before" }),
  allowPrivate: Type.Boolean(),
  approvesCatalog: Type.Boolean({
    description: "A catalog that differs waits until an owner has taken it",
  }),
  hook: Type.Enum(["NONE", "NO_SECRET", "READY"], {
    description:
      "Its webhooks: no address, an address without the secret they are signed with, both",
  }),
  hookBaseUrl: Type.Optional(
    Type.String({ description: "Where it reaches this gateway: its webhooks go to a path below" }),
  ),
  clockDifference_s: Type.Optional(
    Type.Integer({ description: "Its clock less ours, when it was last queried" }),
  ),
  connectedAt: Type.Optional(Timestamp),
  balance: Type.Optional(UpstreamComparison),
  syncedAt: Type.Optional(Timestamp),
  sync: Type.Optional(UpstreamSyncReport),
  syncFailure: Type.Optional(
    Type.Object({ message: Type.String(), at: Timestamp }, { description: "Of the last sync" }),
  ),
  deviations: Type.Optional(
    Type.Array(ProviderDeviation, {
      description: "Fields of answers that were not as the contract says, needed ones first",
    }),
  ),
  fault: Type.Optional(
    Type.Object({
      kind: Type.Enum(["KEY_REFUSED", "FUNDS_SHORT", "COST_DIFFERS"]),
      message: Type.String(),
      at: Timestamp,
    }),
  ),
});
export type UpstreamState = Static<typeof UpstreamState>;

/** `PUT /pos/upstream`: tested before it is stored. */
const UpstreamInput = Input({
  baseUrl: Type.String({ minLength: 1, maxLength: 2048, examples: ["https://gateway.example"] }),
  key: Type.String({ minLength: 1, maxLength: 512 }),
  allowPrivate: Type.Optional(
    Type.Boolean({ description: "It may be in the shop's own network; false if left out" }),
  ),
  approvesCatalog: Type.Optional(
    Type.Boolean({
      description: "Its catalog waits until an owner has taken it; as before if left out",
    }),
  ),
});

/** `PATCH /pos/upstream`: whether a catalog that differs waits for an owner. */
const UpstreamChange = Input({ approvesCatalog: Type.Boolean() });

/** What is found out about a gateway, in this order. */
export const GATEWAY_TESTS = [
  "ANSWERS",
  "ENCRYPTED",
  "KEY_ACCEPTED",
  "KEY_LIVE",
  "CURRENCY_EQUAL",
  "CLOCKS_EQUAL",
  "HAS_OFFERS",
] as const;

/** `POST /pos/upstream/verdict`: the connected gateway, or one that is typed; nothing is stored. */
const VerdictInput = Input({
  gateway: Type.Optional(
    Input({
      baseUrl: UpstreamInput.properties.baseUrl,
      key: UpstreamInput.properties.key,
      allowPrivate: Type.Optional(Type.Boolean()),
    }),
  ),
});

/** Whether a gateway can be sold through, test by test. */
export const GatewayVerdict = Type.Object({
  tests: Type.Array(
    Type.Object({
      test: Type.Enum([...GATEWAY_TESTS]),
      outcome: Type.Enum(["GOOD", "WARNS", "BAD", "UNKNOWN"], {
        description: "UNKNOWN: a test before it did not pass",
      }),
    }),
  ),
  usable: Type.Boolean({ description: "Nothing is BAD or UNKNOWN" }),
  message: Type.Optional(Type.String({ description: "What it or the network said, in English" })),
  currency: CurrencyCode,
  theirCurrency: Type.Optional(Type.String()),
  clockDifference_s: Type.Optional(Type.Integer()),
});
export type GatewayVerdict = Static<typeof GatewayVerdict>;

/** `POST /pos/upstream/hook`: a new address for the gateway's webhooks; the one before ends. */
const UpstreamHookInput = Input({
  baseUrl: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1024,
      description: "Where the gateway reaches this one; as before if left out",
      examples: ["https://till.example"],
    }),
  ),
});

export const UpstreamHook = Type.Object({
  path: Type.String({ description: "After this gateway's own address; shown once" }),
  url: Type.Optional(Type.String({ description: "All of it, where `baseUrl` is known" })),
});

/** `PUT /pos/upstream/hook/secret`: what the gateway signs its webhooks with. */
const UpstreamHookSecret = Input({ secret: Type.String({ minLength: 1, maxLength: 1024 }) });

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
const AcceptanceInput = Input({ fetchedAt: Timestamp });

/** The gateway that the live environment sells through. */
export const upstreamOperations = {
  get: defineOperation({
    method: "GET",
    path: "/upstream",
    answer: UpstreamState,
    access: "owner",
    refusals: [],
  }),
  connect: defineOperation({
    method: "PUT",
    path: "/upstream",
    body: UpstreamInput,
    answer: UpstreamComparison,
    access: "owner",
    asksPin: "always",
    refusals: [],
  }),
  disconnect: defineOperation({
    method: "DELETE",
    path: "/upstream",
    answer: UpstreamState,
    access: "owner",
    asksPin: "always",
    refusals: ["NOT_FOUND"],
  }),
  change: defineOperation({
    method: "PATCH",
    path: "/upstream",
    body: UpstreamChange,
    answer: UpstreamState,
    access: "owner",
    asksPin: "always",
    refusals: ["NOT_FOUND"],
  }),
  /** It is asked, so it is no GET. */
  judge: defineOperation({
    method: "POST",
    path: "/upstream/verdict",
    body: VerdictInput,
    answer: GatewayVerdict,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  test: defineOperation({
    method: "POST",
    path: "/upstream/test",
    answer: UpstreamComparison,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  sync: defineOperation({
    method: "POST",
    path: "/upstream/sync",
    answer: UpstreamSyncReport,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  /** Fetches the catalog, and holds it aside where it differs. */
  fetchCatalog: defineOperation({
    method: "POST",
    path: "/upstream/catalog",
    answer: WaitingCatalog,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  getWaitingCatalog: defineOperation({
    method: "GET",
    path: "/upstream/catalog",
    answer: WaitingCatalog,
    access: "owner",
    refusals: [],
  }),
  acceptCatalog: defineOperation({
    method: "POST",
    path: "/upstream/catalog/acceptance",
    body: AcceptanceInput,
    answer: UpstreamSyncReport,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  openHook: defineOperation({
    method: "POST",
    path: "/upstream/hook",
    body: UpstreamHookInput,
    answer: UpstreamHook,
    access: "owner",
    asksPin: "always",
    refusals: ["NOT_FOUND"],
  }),
  setHookSecret: defineOperation({
    method: "PUT",
    path: "/upstream/hook/secret",
    body: UpstreamHookSecret,
    answer: NOTHING,
    access: "owner",
    asksPin: "always",
    refusals: ["NOT_FOUND"],
  }),
};
