import { type Static, Type } from "typebox";
import {
  CountryCode,
  CurrencyCode,
  CurrencyDivisor,
  Environment,
  Input,
  MinorAmount,
  PriceType,
  Timestamp,
  TopupSubtype,
} from "../common.ts";
import { allowances } from "../v1/offers.ts";
import { PurchaseValue } from "../v1/purchases.ts";
import { Outcome } from "./outcome.ts";

/** `GET /pos/wallet` and the `wallet` event: what the shop can still spend. */
export const PosWallet = Type.Object({
  environment: Environment,
  available: MinorAmount,
  held: MinorAmount,
  currency: CurrencyCode,
  currencyDivisor: CurrencyDivisor,
});
export type PosWallet = Static<typeof PosWallet>;

/** A brand as a tile: a monogram in its colour, no artwork. */
export const PosBrand = Type.Object({
  brand: Type.String(),
  brandName: Type.String(),
  brandColor: Type.String({ description: "#rrggbb or empty" }),
  pausedSince: Type.Optional(
    Type.String({ format: "date-time", description: "Its provider is slow: sales wait" }),
  ),
});
export type PosBrand = Static<typeof PosBrand>;

/** What was sold to a number before, newest first, so that it can be sold again. */
export const PosEarlierSale = Type.Object({
  saleId: Type.String(),
  saleNumber: Type.Integer(),
  soldAt: Timestamp,
  outcome: Outcome,
  recipientPhoneNumber: Type.String(),
  recipientFormatted: Type.String(),
  country: Type.String(),
  offerId: Type.String(),
  brand: Type.String(),
  brandName: Type.String(),
  brandColor: Type.String(),
  title: Type.String(),
  value: Type.Optional(PurchaseValue),
  price: MinorAmount,
  priceCurrency: CurrencyCode,
  priceCurrencyDivisor: CurrencyDivisor,
});
export type PosEarlierSale = Static<typeof PosEarlierSale>;

/** Query of `GET /pos/phone`: whatever the clerk has typed so far. */
export const PosPhoneQuery = Input({ number: Type.String({ minLength: 1, maxLength: 32 }) });

/**
 * `GET /pos/phone`: what is known of a number while it is typed. `country` is known as soon
 * as the calling code is; `detected` names the number's original network, never a promise
 * (numbers are ported): the clerk can pick another of `brands`.
 */
export const PosPhone = Type.Object({
  number: Type.String({ description: "E.164 as far as typed" }),
  formatted: Type.String({ description: "International, grouped" }),
  valid: Type.Boolean({ description: "Complete and in a range that exists" }),
  country: Type.String({ description: "ISO 3166-1 alpha-2, empty while unknown" }),
  detected: Type.Optional(
    Type.Object({
      brand: Type.String({ description: "Empty when no offers of that carrier are sold here" }),
      brandName: Type.String(),
    }),
  ),
  brands: Type.Array(PosBrand, { description: "Brands with top-ups in that country, by name" }),
  earlier: Type.Array(PosEarlierSale, { description: "Sales to this very number, newest first" }),
});
export type PosPhone = Static<typeof PosPhone>;

const amountRange = {
  currency: CurrencyCode,
  currencyDivisor: CurrencyDivisor,
  fixed: Type.Optional(MinorAmount),
  min: Type.Optional(MinorAmount),
  max: Type.Optional(MinorAmount),
};

/** An offer as the counter shows it: what the customer pays and gets, not what the shop pays. */
export const PosOffer = Type.Object({
  offerId: Type.String(),
  brand: Type.String(),
  brandName: Type.String(),
  country: CountryCode,
  title: Type.String(),
  notes: Type.String(),
  subType: TopupSubtype,
  priceType: PriceType,
  price: Type.Object({
    ...amountRange,
    increment: Type.Optional(Type.Integer({ minimum: 1 })),
    fee: MinorAmount,
  }),
  send: Type.Object(amountRange),
  ...allowances,
});
export type PosOffer = Static<typeof PosOffer>;

/** Query of `GET /pos/offers`. */
export const PosOfferQuery = Input({
  country: CountryCode,
  brand: Type.String({ minLength: 1, maxLength: 128 }),
});
/** Enabled offers of one brand in one country: by subtype, then price, RANGE last. */
export const PosOffers = Type.Object({ list: Type.Array(PosOffer) });
export type PosOffers = Static<typeof PosOffers>;

/** `POST /pos/quotes`: the exact amounts of an offer, for a RANGE offer at a value. */
export const PosQuoteInput = Input({
  offerId: Type.String({ minLength: 1, maxLength: 128 }),
  value: Type.Optional(PurchaseValue),
});
export type PosQuoteInput = Static<typeof PosQuoteInput>;

export const PosQuote = Type.Object({
  offerId: Type.String(),
  value: Type.Optional(PurchaseValue),
  price: MinorAmount,
  priceFee: MinorAmount,
  priceCurrency: CurrencyCode,
  priceCurrencyDivisor: CurrencyDivisor,
  send: MinorAmount,
  sendCurrency: CurrencyCode,
  sendCurrencyDivisor: CurrencyDivisor,
});
export type PosQuote = Static<typeof PosQuote>;

/** `GET /pos/recents`: the last numbers sold to, one entry a number, newest first. */
export const PosRecents = Type.Object({ list: Type.Array(PosEarlierSale) });
export type PosRecents = Static<typeof PosRecents>;
