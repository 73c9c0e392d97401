import { type Static, type TSchema, Type } from "typebox";
import {
  CountryCode,
  CurrencyCode,
  CurrencyDivisor,
  Input,
  MinorAmount,
  PriceType,
  Region,
  Timestamp,
  TopupSubtype,
} from "../common.ts";
import { Paged, paging } from "../paging.ts";
import type { Family } from "../pos/families.ts";

const currency = { currency: CurrencyCode, currencyDivisor: CurrencyDivisor };

/**
 * Cost to the client's wallet (rules#offer-records). FIXED offers have `fixed`; RANGE offers have
 * `fx`, `min` and `max`.
 */
const Cost = Type.Object(
  {
    ...currency,
    fixed: Type.Optional(MinorAmount),
    fx: Type.Optional(Type.Number()),
    max: Type.Optional(MinorAmount),
    min: Type.Optional(MinorAmount),
    discount: Type.Number({
      description: "Discount from the face value in percent, for information",
    }),
    fee: MinorAmount,
    feePct: Type.Number({ description: "Additional fee in percent of the base cost" }),
  },
  { title: "Cost", description: "Cost to the wallet" },
);

/** Customer's price in the shop's currency (rules#money-two-currencies). */
export const Price = Type.Object(
  {
    ...currency,
    fixed: Type.Optional(MinorAmount),
    fx: Type.Optional(Type.Number()),
    margin: Type.Number({ description: "Margin of the price on the cost, in percent" }),
    max: Type.Optional(MinorAmount),
    min: Type.Optional(MinorAmount),
    increment: Type.Optional(
      Type.Integer({ minimum: 1, description: "A PRICE value is min plus a multiple of this" }),
    ),
    suggestedFixed: MinorAmount,
    suggestedFx: Type.Number(),
    fee: MinorAmount,
  },
  { title: "Price", description: "Price for the customer" },
);
export type Price = Static<typeof Price>;

/** Delivered amount in the currency of the destination. */
const Send = Type.Object(
  {
    ...currency,
    fixed: Type.Optional(MinorAmount),
    fx: Type.Optional(Type.Number()),
    max: Type.Optional(MinorAmount),
    min: Type.Optional(MinorAmount),
  },
  { title: "Send", description: "Delivered amount" },
);

export const allowances = {
  dataGB: Type.Number({ description: "0 if unlimited or none" }),
  dataUnlimited: Type.Boolean(),
  durationDays: Type.Integer(),
  smsNumber: Type.Integer(),
  smsUnlimited: Type.Boolean(),
  voiceMinutes: Type.Integer(),
  voiceUnlimited: Type.Boolean(),
};

const offerHead = {
  offerId: Type.String({ examples: ["TIGO_GT_TOPUP_25"] }),
  brand: Type.String({ examples: ["TIGO"] }),
  brandName: Type.String({ examples: ["Tigo"] }),
  country: CountryCode,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  enabled: Type.Boolean(),
  notes: Type.String(),
  shortNotes: Type.String(),
  cost: Cost,
  price: Price,
};

/** Topup offer (rules#offer-records). */
export const TopupOffer = Type.Object(
  {
    ...offerHead,
    send: Send,
    priceType: PriceType,
    productType: Type.Literal("TOPUP"),
    regions: Type.Array(Region),
    subTypes: Type.Array(TopupSubtype),
    ...allowances,
  },
  { title: "TopupOffer", description: "A mobile top-up, bundle or data pack" },
);
export type TopupOffer = Static<typeof TopupOffer>;

/** Voucher offer: gift cards and utility payments (rules#offer-records). */
export const VoucherOffer = Type.Object(
  {
    ...offerHead,
    send: Send,
    priceType: PriceType,
    productType: Type.Literal("VOUCHER"),
    regions: Type.Array(Region),
    subTypes: Type.Array(Type.String()),
    requiredFields: Type.Array(Type.String(), {
      description: "Names of the fields that the buyer must supply",
    }),
    deliveryType: Type.String({ examples: ["EPIN"] }),
  },
  { title: "VoucherOffer", description: "A gift card or utility voucher" },
);
export type VoucherOffer = Static<typeof VoucherOffer>;

export const DataSpeed = Type.Enum(["2G", "3G", "4G", "5G"], {
  title: "DataSpeed",
  description: "Generation of a mobile network",
});

/** Allowances of an eSIM plan, in response order (rules#record-order). */
export const esimAllowances = {
  dataGB: allowances.dataGB,
  dataSpeeds: Type.Array(DataSpeed),
  dataUnlimited: Type.Boolean(),
  durationDays: Type.Integer(),
  roaming: Type.Array(
    Type.Object(
      { country: CountryCode, dataSpeeds: Type.Array(DataSpeed) },
      { title: "Roaming", description: "A country of the plan's coverage" },
    ),
    { description: "Further countries of the plan; empty without roaming" },
  ),
  smsNumber: Type.Integer(),
  smsUnlimited: Type.Boolean(),
  voiceMinutes: Type.Integer(),
  voiceUnlimited: Type.Boolean(),
};

/** eSIM offer (rules#offer-records). It delivers data, not money: `send` is absent. */
export const EsimOffer = Type.Object(
  {
    ...offerHead,
    country: Type.String({
      pattern: "^([A-Z]{2})?$",
      description: "ISO 3166-1 country code; blank for a regional offer",
      examples: ["ES"],
    }),
    priceType: PriceType,
    productType: Type.Literal("ESIM"),
    regions: Type.Array(Region),
    subTypes: Type.Array(Type.String()),
    ...esimAllowances,
  },
  { title: "EsimOffer", description: "A data plan on an eSIM" },
);
export type EsimOffer = Static<typeof EsimOffer>;

const Weekday = Type.Enum([
  "MONDAY",
  "TUESDAY",
  "WEDNESDAY",
  "THURSDAY",
  "FRIDAY",
  "SATURDAY",
  "SUNDAY",
]);

/** Bill-pay offer (rules#offer-records). */
export const BillPayOffer = Type.Object(
  {
    ...offerHead,
    send: Send,
    priceType: PriceType,
    productType: Type.Literal("BILL_PAY"),
    regions: Type.Array(Region),
    subTypes: Type.Array(Type.String()),
    requiredFields: Type.Array(Type.String(), {
      description: "Names of the fields that the payer must supply",
    }),
    billRetrievalRequiredFields: Type.Array(Type.String(), {
      description: "Names of the fields that retrieve a bill",
    }),
    supportsBillRetrieval: Type.Boolean(),
    supportsOverpayment: Type.Boolean(),
    supportsUnderpayment: Type.Boolean(),
    cutoffTime: Type.String({
      description: "Payments after this time of the day are processed on the next processing day",
      examples: ["17:00"],
    }),
    processingDays: Type.Array(Weekday),
    processingOnHolidays: Type.Boolean(),
    deliverySpeedSeconds: Type.Integer({ minimum: 0 }),
  },
  { title: "BillPayOffer", description: "A bill that can be paid" },
);
export type BillPayOffer = Static<typeof BillPayOffer>;

export type Offer = TopupOffer | VoucherOffer | EsimOffer | BillPayOffer;

export type ProductFamily = Family;
export type OfferOf<Family extends ProductFamily> = Extract<Offer, { productType: Family }>;

export const TopupOfferPage = Paged(TopupOffer);
export const VoucherOfferPage = Paged(VoucherOffer);
export const EsimOfferPage = Paged(EsimOffer);
export const BillPayOfferPage = Paged(BillPayOffer);

const offerFilters = {
  ...paging,
  brand: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: "Code of a brand",
      examples: ["TIGO"],
    }),
  ),
  country: Type.Optional(CountryCode),
  regions: Type.Optional(Region),
};

const TopupOfferQuery = Input({ ...offerFilters, subType: Type.Optional(TopupSubtype) });

export const OfferQuery = Input({
  ...offerFilters,
  subType: Type.Optional(
    Type.String({ minLength: 1, maxLength: 128, description: "One of an offer's subTypes" }),
  ),
});
export type OfferQuery = Static<typeof OfferQuery>;

export const OfferParams = Input({
  offerId: Type.String({
    minLength: 1,
    maxLength: 128,
    description: "Id of the offer",
    examples: ["TIGO_GT_TOPUP_25"],
  }),
});

/** Schemas of each family: an offer, a page of offers, and the filters of the list. */
export const OFFER_SCHEMAS = {
  TOPUP: { offer: TopupOffer, page: TopupOfferPage, query: TopupOfferQuery },
  VOUCHER: { offer: VoucherOffer, page: VoucherOfferPage, query: OfferQuery },
  ESIM: { offer: EsimOffer, page: EsimOfferPage, query: OfferQuery },
  BILL_PAY: { offer: BillPayOffer, page: BillPayOfferPage, query: OfferQuery },
} satisfies Record<Family, { offer: TSchema; page: TSchema; query: TSchema }>;
