import { type Static, Type } from "typebox";
import { CurrencyCode, CurrencyDivisor, Input, MinorAmount, Timestamp } from "../common.ts";
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
export const ChangeCounts = Type.Object({
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
export const UpstreamInput = Input({
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
export const UpstreamChange = Input({ approvesCatalog: Type.Boolean() });

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
export const VerdictInput = Input({
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
export const UpstreamHookInput = Input({
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
export const UpstreamHookSecret = Input({ secret: Type.String({ minLength: 1, maxLength: 1024 }) });
