import { type Static, Type } from "typebox";
import {
  CountryCode,
  currencyUnit,
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
  ...currencyUnit,
  fixed: Type.Optional(MinorAmount),
  min: Type.Optional(MinorAmount),
  max: Type.Optional(MinorAmount),
};

/** Customer price and item of an offer; never the shop's cost. */
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
    description:
      "Rank of its minimum cost among all costs: the wallet pays for ranks below `paysBelow`",
  }),
};
const send = Type.Object(amountRange);

const FIELD_KINDS = ["PHONE", "EMAIL", "DIGITS", "TEXT"] as const;

/** A field whose value the customer must supply. */
export const PosField = Type.Object({
  key: Type.String(),
  label: Type.String({
    description: "Label of the catalog, in English; otherwise derived from the key",
  }),
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
  roaming: Type.Array(CountryCode, { description: "Further countries of the plan" }),
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
/** An offer as the counter shows it, discriminated by `productType`. */
export type PosOffer = Static<typeof PosOffer>;

/**
 * Query of `GET /pos/offers`; the default family is TOPUP. eSIMs are filtered by region or country;
 * plans of a requested country precede its regional plans.
 */
export const PosOfferQuery = Input({
  productType: Type.Optional(Family),
  country: Type.Optional(CountryCode),
  region: Type.Optional(Region),
  brand: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  language: Type.Optional(LanguageCode),
});
export type PosOfferQuery = Static<typeof PosOfferQuery>;

/** A promotion, and the listed offers to which it applies or may apply. */
export const PosOfferPromo = Type.Object({
  ...PosPromo.properties,
  offerIds: Type.Array(Type.String()),
  mayOfferIds: Type.Array(Type.String(), {
    description: "Offers to which it applies at some amounts, or possibly",
  }),
});
export type PosOfferPromo = Static<typeof PosOfferPromo>;

/** Enabled offers, sorted by price, with RANGE offers last. Top-ups are grouped by subtype. */
export const PosOffers = Type.Object({
  list: Type.Array(PosOffer),
  promos: Type.Array(PosOfferPromo),
});
export type PosOffers = Static<typeof PosOffers>;
