import { type Static, Type } from "typebox";
import {
  CountryCode,
  CurrencyCode,
  currencyUnit,
  Input,
  MinorAmount,
  Timestamp,
} from "../common.ts";
import { FAMILIES } from "./families.ts";
import { defineOperation, NOTHING } from "./operation.ts";
import { ProviderDeviation } from "./provider-answers.ts";

/** Protocols of providers that a shop can connect. */
export const PROVIDER_KINDS = ["gateway", "reloadly"] as const;
export type ProviderKindName = (typeof PROVIDER_KINDS)[number];

/** Facts of the kinds that a form needs. */
export const PROVIDER_KIND_FACTS: Readonly<
  Record<
    ProviderKindName,
    {
      /** Whether the credentials are a client id and a secret. Otherwise they are a key. */
      needsClientId: boolean;
      /** True until the kind ran against the company's own service. */
      isPreview: boolean;
      /** Address of the company's live service; empty if each provider has its own. */
      baseUrl: string;
    }
  >
> = {
  gateway: { needsClientId: false, isPreview: false, baseUrl: "" },
  reloadly: { needsClientId: true, isPreview: true, baseUrl: "https://topups.reloadly.com" },
};

const ProviderKindName = Type.Enum([...PROVIDER_KINDS]);

/** Field `reason` of a refused connection, for which the till has words. */
export const CONNECTION_REASONS = [
  /** The provider's wallet is in `theirs`, the shop's in `ours`. */
  "CURRENCY",
  /** Purchases or refunds are not finished at `address`. */
  "UNFINISHED",
  /** Purchases or refunds are not finished, and the credentials belong to another account. */
  "ACCOUNT",
  /** The account is connected already, as `provider`. */
  "TWIN",
  /** The provider's test environment. */
  "TEST",
  /** The provider refuses the credentials. */
  "REFUSED",
  "UNREACHED",
  /** The provider takes no more requests for now. */
  "BUSY",
  /** The answer is not one of the provider's kind. */
  "UNCLEAR",
] as const;
export type ConnectionReason = (typeof CONNECTION_REASONS)[number];

/**
 * Wallet of the upstream gateway compared with the local wallet, in minor units of one currency.
 */
export const UpstreamComparison = Type.Object({
  comparedAt: Timestamp,
  upstream: MinorAmount,
  available: MinorAmount,
  held: MinorAmount,
  others: Type.Optional(
    Type.Integer({ description: "Last known balances of the shop's other connected providers" }),
  ),
  difference: Type.Integer({ description: "upstream + others - available - held" }),
  ...currencyUnit,
});
export type UpstreamComparison = Static<typeof UpstreamComparison>;

const ChangeCounts = Type.Object({
  added: Type.Integer(),
  changed: Type.Integer(),
  removed: Type.Integer(),
});

/** `POST /pos/upstream/sync`: changes by a sync, and items that the sync skipped. */
export const UpstreamSyncReport = Type.Object({
  sections: Type.Record(Type.String(), ChangeCounts, {
    description: "By section of the catalog: brands, offers of each family, promos",
  }),
  leftOut: Type.Array(Type.String(), {
    description: "The first items that cannot be sold, with reasons",
  }),
  leftOutCount: Type.Integer(),
  leftOutReasons: Type.Optional(
    Type.Array(Type.Object({ reason: Type.String(), count: Type.Integer() }), {
      description: "The reasons, the most frequent first",
    }),
  ),
  unread: Type.Optional(
    Type.Array(Type.Object({ part: Type.String(), reason: Type.String() }), {
      description: "Parts of its catalog that could not be read: they are unchanged",
    }),
  ),
  deviations: Type.Optional(
    Type.Array(
      Type.Object({ what: Type.String(), count: Type.Integer(), example: Type.String() }),
      { description: "Fields that deviate from the contract, the most frequent first" },
    ),
  ),
});
export type UpstreamSyncReport = Static<typeof UpstreamSyncReport>;

/** `GET /pos/upstream`: the upstream gateway of the live environment, without its key. */
export const UpstreamState = Type.Object({
  connected: Type.Boolean(),
  providerId: Type.Optional(
    Type.String({ description: "Id of the provider; absent before the first connection" }),
  ),
  kind: ProviderKindName,
  baseUrl: Type.String({
    description: "Address of the gateway, also after its disconnection; empty before the first",
  }),
  allowPrivate: Type.Boolean(),
  approvesCatalog: Type.Boolean({
    description: "True if a changed catalog waits for an owner's approval",
  }),
  hook: Type.Enum(["NONE", "NO_SECRET", "READY"], {
    description: "Its webhooks: no address, an address without their signing secret, or both",
  }),
  hookBaseUrl: Type.Optional(
    Type.String({ description: "Base address of this gateway for its webhooks" }),
  ),
  clockDifference_s: Type.Optional(
    Type.Integer({ description: "Its clock minus ours, at the last query" }),
  ),
  connectedAt: Type.Optional(Timestamp),
  balance: Type.Optional(UpstreamComparison),
  syncedAt: Type.Optional(Timestamp),
  sync: Type.Optional(UpstreamSyncReport),
  syncFailure: Type.Optional(
    Type.Object(
      { message: Type.String(), at: Timestamp },
      { description: "Failure of the last sync" },
    ),
  ),
  deviations: Type.Optional(
    Type.Array(ProviderDeviation, {
      description: "Fields of answers that deviate from the contract, needed ones first",
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

const providerId = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 64,
    description:
      "Provider. A shop with several connected providers must name one; only `GET /pos/upstream` then returns the first",
  }),
);

const connection = {
  kind: Type.Optional(
    Type.Enum([...PROVIDER_KINDS], { description: "Protocol; default is gateway" }),
  ),
  baseUrl: Type.String({ minLength: 1, maxLength: 2048, examples: ["https://gateway.example"] }),
  key: Type.String({
    minLength: 1,
    maxLength: 512,
    description: "Key, or the client secret of a kind with client ids",
  }),
  clientId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 512, description: "Only for a kind with client ids" }),
  ),
};

/** `PUT /pos/upstream`: tests a gateway and connects it. */
const UpstreamInput = Input({
  ...connection,
  providerId,
  newName: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 120,
      description: "Connects a further provider of this name instead of `providerId`",
    }),
  ),
  allowPrivate: Type.Optional(
    Type.Boolean({ description: "Permits the shop's own network; default is false" }),
  ),
  approvesCatalog: Type.Optional(
    Type.Boolean({
      description: "True if its catalog waits for approval; default is unchanged",
    }),
  ),
});

/** `PATCH /pos/upstream`: sets whether a changed catalog waits for an owner's approval. */
const UpstreamChange = Input({ approvesCatalog: Type.Boolean(), providerId });

/** Query of the requests that name a provider, such as `DELETE /pos/upstream`. */
const UpstreamQuery = Input({ providerId });

/** Tests of a gateway, in order of execution. */
export const GATEWAY_TESTS = [
  "ANSWERS",
  "ENCRYPTED",
  "KEY_ACCEPTED",
  "KEY_LIVE",
  "CURRENCY_EQUAL",
  "CLOCKS_EQUAL",
  "HAS_OFFERS",
] as const;

/**
 * `POST /pos/upstream/verdict`: tests the given gateway, by default the connected gateway. Nothing
 * is stored.
 */
const VerdictInput = Input({
  providerId,
  gateway: Type.Optional(
    Input({
      ...connection,
      allowPrivate: Type.Optional(Type.Boolean()),
    }),
  ),
});

export const GatewayVerdict = Type.Object({
  tests: Type.Array(
    Type.Object({
      test: Type.Enum([...GATEWAY_TESTS]),
      outcome: Type.Enum(["GOOD", "WARNS", "BAD", "UNKNOWN"], {
        description: "UNKNOWN: an earlier test failed",
      }),
    }),
  ),
  usable: Type.Boolean({ description: "True if no test is BAD or UNKNOWN" }),
  message: Type.Optional(
    Type.String({ description: "Error of the gateway or the network, in English" }),
  ),
  currency: CurrencyCode,
  theirCurrency: Type.Optional(Type.String()),
  clockDifference_s: Type.Optional(Type.Integer()),
});
export type GatewayVerdict = Static<typeof GatewayVerdict>;

/**
 * `POST /pos/upstream/hook`: creates a new address for the gateway's webhooks
 * and disables the old one.
 */
const UpstreamHookInput = Input({
  providerId,
  baseUrl: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1024,
      description: "Base address of this gateway for the other; default is unchanged",
      examples: ["https://till.example"],
    }),
  ),
});

export const UpstreamHook = Type.Object({
  path: Type.String({ description: "Path below this gateway's address; shown once" }),
  url: Type.Optional(Type.String({ description: "Complete URL, if `baseUrl` is known" })),
});

/** `PUT /pos/upstream/hook/secret`: stores the secret with which the gateway signs its webhooks. */
const UpstreamHookSecret = Input({
  secret: Type.String({ minLength: 1, maxLength: 1024 }),
  providerId,
});

export const OFFERS_NAMED = 10;
export const COST_CHANGES_SHOWN = 10;

const { sections: _sections, ...syncNotes } = UpstreamSyncReport.properties;

const NamedOffer = Type.Object({
  offerId: Type.String(),
  brandName: Type.String(),
  country: CountryCode,
  productType: Type.Enum([...FAMILIES]),
});

/** An offer's cost before and after a change; in minor units for a FIXED offer. */
const CostChange = Type.Object({
  ...NamedOffer.properties,
  percent: Type.Number({ description: "Change in percent of the old cost; negative if cheaper" }),
  fixed: Type.Optional(
    Type.Object({
      before: Type.Integer(),
      after: Type.Integer(),
      ...currencyUnit,
    }),
  ),
});
export type CostChange = Static<typeof CostChange>;

export const CatalogDifference = Type.Object({
  isFirst: Type.Boolean({ description: "True if there is no earlier catalog" }),
  offers: Type.Object({
    total: Type.Integer(),
    added: Type.Integer(),
    removed: Type.Integer(),
    cheaper: Type.Integer(),
    dearer: Type.Integer(),
    changed: Type.Integer({ description: "Number of changes other than cost" }),
  }),
  added: Type.Array(NamedOffer, { description: "The first offers, by id" }),
  removed: Type.Array(NamedOffer, { description: "The first offers, by id" }),
  costChanges: Type.Array(CostChange, { description: "The largest first" }),
  brands: ChangeCounts,
  promos: ChangeCounts,
  forCountry: Type.Optional(
    Type.Object(
      { country: CountryCode, offers: Type.Integer() },
      { description: "Sellable offers of the shop's own country" },
    ),
  ),
  ...syncNotes,
});
export type CatalogDifference = Static<typeof CatalogDifference>;

/** `GET /pos/upstream/catalog`: the catalog that waits for an owner, if any. */
export const WaitingCatalog = Type.Object({
  waiting: Type.Optional(Type.Object({ fetchedAt: Timestamp, difference: CatalogDifference })),
});
export type WaitingCatalog = Static<typeof WaitingCatalog>;

/**
 * `POST /pos/upstream/catalog/acceptance`: names the catalog by its fetch time, so that an owner
 * cannot accept an unseen catalog.
 */
const AcceptanceInput = Input({ fetchedAt: Timestamp, providerId });

export const upstreamOperations = {
  get: defineOperation({
    method: "GET",
    path: "/upstream",
    query: UpstreamQuery,
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
    refusals: ["NOT_FOUND"],
  }),
  disconnect: defineOperation({
    method: "DELETE",
    path: "/upstream",
    query: UpstreamQuery,
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
  /** Not a GET, because the request queries the gateway. */
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
    query: UpstreamQuery,
    answer: UpstreamComparison,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  sync: defineOperation({
    method: "POST",
    path: "/upstream/sync",
    query: UpstreamQuery,
    answer: UpstreamSyncReport,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  /** Fetches the catalog, and stores it for approval if it differs. */
  fetchCatalog: defineOperation({
    method: "POST",
    path: "/upstream/catalog",
    query: UpstreamQuery,
    answer: WaitingCatalog,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  getWaitingCatalog: defineOperation({
    method: "GET",
    path: "/upstream/catalog",
    query: UpstreamQuery,
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
