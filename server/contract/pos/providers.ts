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
import { defineOperation } from "./operation.ts";
import { PROVIDER_KINDS } from "./upstream.ts";

/** Number of newest purchases from which the health of a provider is computed. */
export const HEALTH_PURCHASES = 100;
/** Maximum number of products in a comparison of costs. */
export const COMPARED_PRODUCTS = 100;

const count = Type.Integer({ minimum: 0 });

/**
 * Health of a provider: its newest finished purchases, at most `HEALTH_PURCHASES` for each provider
 * of the shop. Times are from acceptance to outcome.
 */
const ProviderHealth = Type.Object({
  purchases: count,
  delivered: count,
  p50_ms: Type.Optional(Type.Integer({ description: "Median; absent without purchases" })),
  p95_ms: Type.Optional(Type.Integer()),
  unknown: Type.Integer({
    description: "Purchases and refunds that are without an outcome 2 minutes after acceptance",
  }),
  daysLeft: Type.Optional(
    Type.Number({
      description: "Balance by the daily spending of these purchases; absent before a first day",
    }),
  ),
});
export type ProviderHealth = Static<typeof ProviderHealth>;

const ProviderSummary = Type.Object({
  providerId: Type.String(),
  name: Type.String(),
  kind: Type.Enum([...PROVIDER_KINDS]),
  baseUrl: Type.String(),
  state: Type.Enum(["WORKING", "TROUBLED", "NO_CATALOG", "PAUSED", "DISCONNECTED"], {
    description:
      "TROUBLED: it refused the key or lacked money, until a higher balance is read. NO_CATALOG: another company, whose first catalog is not in force; nothing is sold",
  }),
  products: Type.Integer({ description: "Products that it states" }),
  balance: Type.Optional(MinorAmount),
  balanceAt: Type.Optional(Timestamp),
  health: ProviderHealth,
});
export type ProviderSummary = Static<typeof ProviderSummary>;

const target = {
  brand: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  country: Type.Optional(CountryCode),
  family: Type.Optional(Type.Enum([...FAMILIES])),
};
const providers = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
  maxItems: 20,
  description: "Ids, the preferred first; empty for the cheapest that works",
});

/** `GET /pos/providers`: all providers of the live environment, in the order of connection. */
export const ProviderList = Type.Object({
  currency: CurrencyCode,
  currencyDivisor: CurrencyDivisor,
  list: Type.Array(ProviderSummary),
  orders: Type.Array(
    Type.Object({ ...target, brandName: Type.Optional(Type.String()), providers }),
    {
      description: "The most specific one decides which provider sells a product",
    },
  ),
  shared: Type.Array(
    Type.Object({
      brand: Type.String(),
      brandName: Type.String(),
      families: Type.Array(Type.Enum([...FAMILIES])),
      countries: Type.Array(CountryCode),
    }),
    { description: "Brands with products that several providers state, by name" },
  ),
});
export type ProviderList = Static<typeof ProviderList>;

const ProviderCostsQuery = Input({
  brand: target.brand,
  offerId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 128, description: "One product instead of a brand" }),
  ),
});

/**
 * `GET /pos/providers/costs`: costs of the products of a brand, or of one product, that several providers state. The cost of
 * a range is that of its largest amount.
 */
export const ProviderCosts = Type.Object({
  currency: CurrencyCode,
  currencyDivisor: CurrencyDivisor,
  list: Type.Array(
    Type.Object({
      offerId: Type.String(),
      family: Type.Enum([...FAMILIES]),
      country: CountryCode,
      send: Type.Object({
        amount: Type.Integer(),
        currency: CurrencyCode,
        currencyDivisor: CurrencyDivisor,
      }),
      used: Type.String({ description: "Id of the provider that sells the product now" }),
      costs: Type.Array(
        Type.Object({ providerId: Type.String(), name: Type.String(), cost: MinorAmount }),
        {
          description: "In the wallet's currency, in the order of connection",
        },
      ),
    }),
  ),
});
export type ProviderCosts = Static<typeof ProviderCosts>;

/** `PATCH /pos/providers/:providerId` */
const ProviderChange = Input({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 120 })),
  paused: Type.Optional(
    Type.Boolean({ description: "True sells nothing new through it; accepted purchases continue" }),
  ),
});

/** `PUT /pos/providers/order`: replaces the order of these products. */
const ProviderOrderInput = Input({ ...target, providers });

export const providerOperations = {
  list: defineOperation({
    method: "GET",
    path: "/providers",
    answer: ProviderList,
    access: "owner",
    refusals: [],
  }),
  getCosts: defineOperation({
    method: "GET",
    path: "/providers/costs",
    query: ProviderCostsQuery,
    answer: ProviderCosts,
    access: "staff",
    right: "seeFigures",
    refusals: [],
  }),
  setOrder: defineOperation({
    method: "PUT",
    path: "/providers/order",
    body: ProviderOrderInput,
    answer: ProviderList,
    access: "owner",
    asksPin: "always",
    refusals: ["NOT_FOUND"],
  }),
  change: defineOperation({
    method: "PATCH",
    path: "/providers/:providerId",
    params: Type.Object({ providerId: Type.String({ minLength: 1, maxLength: 64 }) }),
    body: ProviderChange,
    answer: ProviderList,
    access: "owner",
    asksPin: "always",
    refusals: ["NOT_FOUND"],
  }),
};
