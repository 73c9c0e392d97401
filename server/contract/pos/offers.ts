import { type Static, Type } from "typebox";
import {
  CountryCode,
  CurrencyCode,
  CurrencyDivisor,
  Input,
  LanguageCode,
  MinorAmount,
  PriceType,
  Region,
  TopupSubtype,
} from "../common.ts";
import { allowances, DataSpeed } from "../v1/offers.ts";
import { Family } from "./families.ts";
import { PosPromo } from "./promos.ts";

const amountRange = {
  currency: CurrencyCode,
  currencyDivisor: CurrencyDivisor,
  fixed: Type.Optional(MinorAmount),
  min: Type.Optional(MinorAmount),
  max: Type.Optional(MinorAmount),
};

/** What the customer pays and gets, never what the shop pays. */
const head = {
  offerId: Type.String(),
  brand: Type.String(),
  brandName: Type.String(),
  brandColor: Type.String(),
  country: Type.String({ description: "Empty for a regional eSIM" }),
  title: Type.String(),
  notes: Type.String(),
  subTypes: Type.Array(Type.String()),
  priceType: PriceType,
  price: Type.Object({
    ...amountRange,
    increment: Type.Optional(Type.Integer({ minimum: 1 })),
    fee: MinorAmount,
  }),
  costRank: Type.Integer({
    minimum: 0,
    description: "The place of its least cost among all costs: the wallet pays below `paysBelow`",
  }),
};
const send = Type.Object(amountRange);

const FIELD_KINDS = ["PHONE", "EMAIL", "DIGITS", "TEXT"] as const;

/** A field that the customer must supply. */
export const PosField = Type.Object({
  key: Type.String(),
  label: Type.String({ description: "The catalog's, in English; else made of the key" }),
  kind: Type.Enum(FIELD_KINDS),
  inputMask: Type.Optional(
    Type.String({ description: "9 for a digit, a for a letter, * for either" }),
  ),
});
export type PosField = Static<typeof PosField>;

const PosTopupOffer = Type.Object({
  productType: Type.Literal("TOPUP"),
  ...head,
  subType: TopupSubtype,
  send,
  ...allowances,
});
export type PosTopupOffer = Static<typeof PosTopupOffer>;

const PosVoucherOffer = Type.Object({
  productType: Type.Literal("VOUCHER"),
  ...head,
  send,
  deliveryType: Type.String(),
  requiredFields: Type.Array(PosField),
});
export type PosVoucherOffer = Static<typeof PosVoucherOffer>;

const PosEsimOffer = Type.Object({
  productType: Type.Literal("ESIM"),
  ...head,
  ...allowances,
  regions: Type.Array(Region),
  dataSpeeds: Type.Array(DataSpeed),
  roaming: Type.Array(CountryCode, { description: "Where it works beside its country" }),
});
export type PosEsimOffer = Static<typeof PosEsimOffer>;

const PosBillOffer = Type.Object({
  productType: Type.Literal("BILL_PAY"),
  ...head,
  send,
  requiredFields: Type.Array(PosField),
  supportsBillRetrieval: Type.Boolean(),
  retrievalFields: Type.Array(PosField),
  supportsOverpayment: Type.Boolean(),
  supportsUnderpayment: Type.Boolean(),
  cutoffTime: Type.String(),
  processingDays: Type.Array(Type.String()),
  processingOnHolidays: Type.Boolean(),
  deliverySpeedSeconds: Type.Integer(),
});
export type PosBillOffer = Static<typeof PosBillOffer>;

export const PosOffer = Type.Union([PosTopupOffer, PosVoucherOffer, PosEsimOffer, PosBillOffer]);
/** An offer as the counter shows it; `productType` tells which. */
export type PosOffer = Static<typeof PosOffer>;

/**
 * Query of `GET /pos/offers`: TOPUP unless another family is named. eSIMs are asked for by the
 * country they are to work in, where its own plans come before regional ones, or by a region.
 */
export const PosOfferQuery = Input({
  productType: Type.Optional(Family),
  country: Type.Optional(CountryCode),
  region: Type.Optional(Region),
  brand: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  language: Type.Optional(LanguageCode),
});
export type PosOfferQuery = Static<typeof PosOfferQuery>;

/** A promotion with those of the offers beside it that it applies to, or may. */
export const PosOfferPromo = Type.Object({
  ...PosPromo.properties,
  offerIds: Type.Array(Type.String()),
  mayOfferIds: Type.Array(Type.String(), {
    description: "At some of their amounts, or as far as can be told",
  }),
});
export type PosOfferPromo = Static<typeof PosOfferPromo>;

/** Enabled offers: top-ups by subtype, all by price, RANGE last. */
export const PosOffers = Type.Object({
  list: Type.Array(PosOffer),
  promos: Type.Array(PosOfferPromo),
});
export type PosOffers = Static<typeof PosOffers>;

/** `GET /pos/offers/{offerId}`: one that is enabled. */
export const PosOfferParams = Input({ offerId: Type.String({ minLength: 1, maxLength: 128 }) });
