import { type Static, Type } from "typebox";
import { CountryCode, currencyUnit, Input, MinorAmount, Timestamp } from "../common.ts";
import { FAMILIES } from "./families.ts";
import { defineOperation } from "./operation.ts";
import { PROVIDER_KINDS } from "./upstream.ts";

/** Number of newest purchases from which the health of a provider is computed. */
export const HEALTH_PURCHASES = 100;
/** Maximum number of brands in the health of a provider. */
export const HEALTH_BRANDS = 20;
/** Maximum number of products in a comparison of costs. */
export const COMPARED_PRODUCTS = 100;

const count = Type.Integer({ minimum: 0 });

/** Times are from acceptance to outcome. */
const measured = {
  purchases: count,
  delivered: count,
  p50_ms: Type.Optional(Type.Integer({ description: "Median; absent without purchases" })),
  p95_ms: Type.Optional(Type.Integer()),
  unknown: Type.Integer({
    description: "Purchases and refunds that are without an outcome 2 minutes after acceptance",
  }),
};

/**
 * Health of a provider: its newest finished purchases, at most `HEALTH_PURCHASES` for each provider
 * of the shop.
 */
const ProviderHealth = Type.Object({
  ...measured,
  daysLeft: Type.Optional(
    Type.Number({
      description:
        "Balance by the spending of a day, of at most seven days; absent before the first whole day of sales is over",
    }),
  ),
});
export type ProviderHealth = Static<typeof ProviderHealth>;

/** Health of a brand at a provider, and its automatic pause there. */
const BrandHealth = Type.Object({
  brand: Type.String({ description: "As it is sold" }),
  brandName: Type.String(),
  ...measured,
  pausedSince: Type.Optional(Timestamp),
});
export type BrandHealth = Static<typeof BrandHealth>;

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
  brands: Type.Array(BrandHealth, {
    description:
      "At most 20 brands: paused ones and those with unknown outcomes first; empty in a shop with one provider",
  }),
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
  ...currencyUnit,
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
  brands: Type.Array(Type.Object({ brand: Type.String(), brandName: Type.String() }), {
    description: "All brands by name; empty in a shop with one provider",
  }),
  joined: Type.Array(
    Type.Object({
      brand: Type.String(),
      brandName: Type.String(),
      as: Type.String(),
      asName: Type.String(),
    }),
    { description: "Brands that are sold as another brand" },
  ),
  unclear: Type.Integer({
    description: "Products that match several of another provider, without the owner's choice",
  }),
});
export type ProviderList = Static<typeof ProviderList>;

/** Maximum number of products in the list of those that match several others. */
export const UNCLEAR_PRODUCTS = 50;

/**
 * `GET /pos/providers/unclear-products`: offers that could be one product, although a provider
 * states two of them. They are sold apart until the owner chooses the offers that are equal.
 */
export const UnclearProducts = Type.Object({
  ...currencyUnit,
  list: Type.Array(
    Type.Object({
      brandName: Type.String(),
      family: Type.Enum([...FAMILIES]),
      country: CountryCode,
      send: Type.Object({
        amount: Type.Integer(),
        ...currencyUnit,
      }),
      offers: Type.Array(
        Type.Object({
          offerId: Type.String(),
          providerId: Type.String(),
          notes: Type.String({ description: "The provider's text" }),
          cost: MinorAmount,
          as: Type.Optional(
            Type.String({ description: "The owner's choice: id of the offer that it is sold as" }),
          ),
        }),
        { description: "In the order of connection" },
      ),
    }),
  ),
});
export type UnclearProducts = Static<typeof UnclearProducts>;

/** `PUT /pos/providers/products`: sells an offer as one that it matches, or apart. */
const SameProductInput = Input({
  offerId: Type.String({ minLength: 1, maxLength: 128 }),
  as: Type.Optional(
    Type.String({ minLength: 1, maxLength: 128, description: "Absent: it is sold apart" }),
  ),
});

/** `PUT /pos/providers/brands`: sells a brand as another brand, or apart. */
const SameBrandInput = Input({
  brand: Type.String({ minLength: 1, maxLength: 128 }),
  as: Type.Optional(
    Type.String({ minLength: 1, maxLength: 128, description: "Absent: it is sold apart" }),
  ),
});

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
  ...currencyUnit,
  list: Type.Array(
    Type.Object({
      offerId: Type.String(),
      family: Type.Enum([...FAMILIES]),
      country: CountryCode,
      send: Type.Object({
        amount: Type.Integer(),
        ...currencyUnit,
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
  joinBrands: defineOperation({
    method: "PUT",
    path: "/providers/brands",
    body: SameBrandInput,
    answer: ProviderList,
    access: "owner",
    asksPin: "always",
    refusals: ["NOT_FOUND"],
  }),
  listUnclear: defineOperation({
    method: "GET",
    path: "/providers/unclear-products",
    answer: UnclearProducts,
    access: "owner",
    refusals: [],
  }),
  joinProducts: defineOperation({
    method: "PUT",
    path: "/providers/products",
    body: SameProductInput,
    answer: UnclearProducts,
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
