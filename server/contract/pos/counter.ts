import { type Static, Type } from "typebox";
import { CurrencyCode, CurrencyDivisor, Input, MinorAmount, Timestamp } from "../common.ts";
import { PurchaseValue, VoucherField } from "../v1/purchase-record.ts";
import { PosBrand, PosBrandQuery, PosBrands } from "./brands.ts";
import { EsimDestinations, PosEsim, PosEsimParams } from "./esims.ts";
import { PosOfferQuery, PosOffers } from "./offers.ts";
import { defineOperation } from "./operation.ts";
import { Outcome } from "./outcome.ts";
import { PosWallet, WalletCheck, WalletCheckInput } from "./wallet.ts";

/** `POST /pos/quotes`: exact amounts of an offer. A RANGE offer needs a value. */
export const PosQuoteInput = Input({
  offerId: Type.String({ minLength: 1, maxLength: 128 }),
  value: Type.Optional(PurchaseValue),
});
export type PosQuoteInput = Static<typeof PosQuoteInput>;

/** `send` is 0 for an eSIM, which delivers no money. */
export const PosQuote = Type.Object({
  offerId: Type.String({
    description: "Sold offer: a FIXED offer if one has the typed amount",
  }),
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

/** `POST /pos/bills`: queries the biller for the amount due. */
export const PosBillInput = Input({
  offerId: Type.String({ minLength: 1, maxLength: 128 }),
  fields: Type.Array(VoucherField, { maxItems: 64 }),
});
export type PosBillInput = Static<typeof PosBillInput>;

/** A bill: `send` is the amount due, `price` the customer's price including the fee. */
export const PosBill = Type.Object({
  offerId: Type.String(),
  value: Type.Optional(PurchaseValue),
  send: MinorAmount,
  sendCurrency: CurrencyCode,
  sendCurrencyDivisor: CurrencyDivisor,
  price: MinorAmount,
  priceFee: MinorAmount,
  priceCurrency: CurrencyCode,
  priceCurrencyDivisor: CurrencyDivisor,
  retrievedAt: Timestamp,
});
export type PosBill = Static<typeof PosBill>;

/** An earlier sale to a phone number, which the clerk can repeat. */
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
  favourite: Type.Optional(Type.String({ description: "Name of the favourite" })),
  value: Type.Optional(PurchaseValue),
  price: MinorAmount,
  priceCurrency: CurrencyCode,
  priceCurrencyDivisor: CurrencyDivisor,
});
export type PosEarlierSale = Static<typeof PosEarlierSale>;

/**
 * Query of `GET /pos/phone`: the digits typed so far. A number with "+" or "00" is international;
 * any other number may belong to the shop's country.
 */
const PosPhoneQuery = Input({ number: Type.String({ minLength: 1, maxLength: 32 }) });

/**
 * Facts about a number that is being typed. `detected` is the carrier to which the number was
 * assigned. A ported number has another carrier, so the clerk can choose another of `brands`.
 */
export const PosPhoneChoice = Type.Object({
  number: Type.String({ description: "E.164, as far as typed" }),
  formatted: Type.String({ description: "International, grouped" }),
  valid: Type.Boolean({ description: "Complete and in a range that exists" }),
  mobile: Type.Boolean({
    description: "True if it can be a mobile number; others have no brands and get no top-up",
  }),
  country: Type.String({ description: "ISO 3166-1 alpha-2, empty while unknown" }),
  detected: Type.Optional(
    Type.Object({
      brand: Type.String({ description: "Empty if the shop sells no offers of that carrier" }),
      brandName: Type.String(),
      remembered: Type.Optional(
        Type.Boolean({ description: "The shop stored the carrier, whatever the number's range" }),
      ),
      looksLike: Type.Optional(
        Type.String({
          description: "Carrier of the number's range, if the shop stored another one",
        }),
      ),
    }),
  ),
  favourite: Type.Optional(Type.String({ description: "Name of the favourite" })),
  brands: Type.Array(PosBrand, { description: "Brands with top-ups in that country, by name" }),
  earlier: Type.Array(PosEarlierSale, {
    description: "Sales to exactly this number, newest first",
  }),
});
export type PosPhoneChoice = Static<typeof PosPhoneChoice>;

/**
 * `GET /pos/phone`: a local number gets the shop's country code. If the digits fit two numbers, the
 * response has `choices`. It is `valid` if exactly one choice has a favourite or an earlier sale;
 * otherwise the clerk must choose (rules#topup-local-number).
 */
export const PosPhone = Type.Object({
  ...PosPhoneChoice.properties,
  isRepaired: Type.Optional(
    Type.Boolean({
      description: "The digits are no number, and the only choice is their correction",
    }),
  ),
  choices: Type.Optional(
    Type.Array(PosPhoneChoice, {
      description: "Possible numbers of these digits, the shop's country first",
    }),
  ),
});
export type PosPhone = Static<typeof PosPhone>;

/** `GET /pos/recents`: the last recipients, one entry per number, newest first. */
const PosRecents = Type.Object({ list: Type.Array(PosEarlierSale) });
export type PosRecents = Static<typeof PosRecents>;

export const counterOperations = {
  getWallet: defineOperation({
    method: "GET",
    path: "/wallet",
    answer: PosWallet,
    access: "staff",
  }),
  checkWallet: defineOperation({
    method: "POST",
    path: "/wallet/check",
    body: WalletCheckInput,
    answer: WalletCheck,
    access: "seller",
    refusals: [
      "OFFER_NOT_FOUND",
      "OFFER_DISABLED",
      "VALUE_REQUIRED",
      "VALUE_NOT_ALLOWED",
      "VALUE_OUT_OF_RANGE",
    ],
  }),
  describePhone: defineOperation({
    method: "GET",
    path: "/phone",
    query: PosPhoneQuery,
    answer: PosPhone,
    access: "seller",
  }),
  listRecents: defineOperation({
    method: "GET",
    path: "/recents",
    answer: PosRecents,
    access: "seller",
  }),
  listBrands: defineOperation({
    method: "GET",
    path: "/brands",
    query: PosBrandQuery,
    answer: PosBrands,
    access: "seller",
  }),
  listOffers: defineOperation({
    method: "GET",
    path: "/offers",
    query: PosOfferQuery,
    answer: PosOffers,
    access: "seller",
  }),
  retrieveBill: defineOperation({
    method: "POST",
    path: "/bills",
    body: PosBillInput,
    answer: PosBill,
    access: "seller",
    refusals: ["OFFER_NOT_FOUND", "OFFER_DISABLED", "REQUIRED_FIELD_MISSING", "BILL_NOT_FOUND"],
  }),
  quote: defineOperation({
    method: "POST",
    path: "/quotes",
    body: PosQuoteInput,
    answer: PosQuote,
    access: "seller",
    refusals: [
      "OFFER_NOT_FOUND",
      "OFFER_DISABLED",
      "VALUE_REQUIRED",
      "VALUE_NOT_ALLOWED",
      "VALUE_OUT_OF_RANGE",
    ],
  }),
  listEsimDestinations: defineOperation({
    method: "GET",
    path: "/esim-destinations",
    answer: EsimDestinations,
    access: "seller",
  }),
  findEsim: defineOperation({
    method: "GET",
    path: "/esims/:iccid",
    params: PosEsimParams,
    answer: PosEsim,
    access: "seller",
    refusals: ["ICCID_NOT_FOUND"],
  }),
};
