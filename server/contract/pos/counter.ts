import { type Static, Type } from "typebox";
import { CurrencyCode, CurrencyDivisor, Input, MinorAmount, Timestamp } from "../common.ts";
import { PurchaseValue, VoucherField } from "../v1/purchase-record.ts";
import { PosBrand, PosBrandQuery, PosBrands } from "./brands.ts";
import { EsimDestinations, PosEsim, PosEsimParams } from "./esims.ts";
import { PosOffer, PosOfferParams, PosOfferQuery, PosOffers } from "./offers.ts";
import { defineOperation } from "./operation.ts";
import { Outcome } from "./outcome.ts";
import { PosPromoQuery, PosPromos } from "./promos.ts";
import { PosWallet, WalletCheck, WalletCheckInput } from "./wallet.ts";

/** `POST /pos/quotes`: the exact amounts of an offer of any family, for a RANGE offer at a value. */
export const PosQuoteInput = Input({
  offerId: Type.String({ minLength: 1, maxLength: 128 }),
  value: Type.Optional(PurchaseValue),
});
export type PosQuoteInput = Static<typeof PosQuoteInput>;

/** `send` is 0 of an eSIM, which delivers no money. */
export const PosQuote = Type.Object({
  offerId: Type.String({
    description: "What is sold: of a free amount that a FIXED offer has too, that one",
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

/** `POST /pos/bills`: queries the biller for what is due. */
export const PosBillInput = Input({
  offerId: Type.String({ minLength: 1, maxLength: 128 }),
  fields: Type.Array(VoucherField, { maxItems: 64 }),
});
export type PosBillInput = Static<typeof PosBillInput>;

/** A bill: what is due is `send`, what the customer pays for it `price`, fee included. */
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
  favourite: Type.Optional(Type.String({ description: "The name the number is kept under" })),
  value: Type.Optional(PurchaseValue),
  price: MinorAmount,
  priceCurrency: CurrencyCode,
  priceCurrencyDivisor: CurrencyDivisor,
});
export type PosEarlierSale = Static<typeof PosEarlierSale>;

/**
 * Query of `GET /pos/phone`: whatever the clerk has typed so far. With "+" or "00" in front it is
 * international; without, it may be a number of the shop's own country.
 */
const PosPhoneQuery = Input({ number: Type.String({ minLength: 1, maxLength: 32 }) });

/**
 * What is known of a number while it is typed. `country` is known as soon
 * as the calling code is; `detected` names the number's original network, never a promise
 * (numbers are ported): the clerk can pick another of `brands`.
 */
export const PosPhoneChoice = Type.Object({
  number: Type.String({ description: "E.164 as far as typed" }),
  formatted: Type.String({ description: "International, grouped" }),
  valid: Type.Boolean({ description: "Complete and in a range that exists" }),
  mobile: Type.Boolean({
    description: "It can be a mobile number; one that cannot has no brands: it takes no top-up",
  }),
  country: Type.String({ description: "ISO 3166-1 alpha-2, empty while unknown" }),
  detected: Type.Optional(
    Type.Object({
      brand: Type.String({ description: "Empty when no offers of that carrier are sold here" }),
      brandName: Type.String(),
      remembered: Type.Optional(
        Type.Boolean({ description: "The shop said so itself, whatever the number looks like" }),
      ),
      looksLike: Type.Optional(
        Type.String({
          description: "The network of the number itself, where the shop knows better",
        }),
      ),
    }),
  ),
  favourite: Type.Optional(Type.String({ description: "The name it is kept under" })),
  brands: Type.Array(PosBrand, { description: "Brands with top-ups in that country, by name" }),
  earlier: Type.Array(PosEarlierSale, { description: "Sales to this very number, newest first" }),
});
export type PosPhoneChoice = Static<typeof PosPhoneChoice>;

/**
 * `GET /pos/phone`: a number of the shop's country that was typed without its code is answered with it.
 * Digits that can mean more than one number have `choices`: they are `valid` as one of them where the
 * shop knows that one only, else as none until the clerk has chosen (rules#topup-local-number).
 */
export const PosPhone = Type.Object({
  ...PosPhoneChoice.properties,
  isRepaired: Type.Optional(
    Type.Boolean({
      description:
        "The digits are no number, and the one choice is what a small repair makes of them",
    }),
  ),
  choices: Type.Optional(
    Type.Array(PosPhoneChoice, {
      description: "The numbers these digits can mean, that of the shop's country first",
    }),
  ),
});
export type PosPhone = Static<typeof PosPhone>;

/** `GET /pos/recents`: the last numbers sold to, one entry a number, newest first. */
const PosRecents = Type.Object({ list: Type.Array(PosEarlierSale) });
export type PosRecents = Static<typeof PosRecents>;

/** What a clerk looks up before a sale. */
export const counterOperations = {
  getWallet: defineOperation({
    method: "GET",
    path: "/wallet",
    answer: PosWallet,
    access: "staff",
    refusals: [],
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
    refusals: [],
  }),
  listRecents: defineOperation({
    method: "GET",
    path: "/recents",
    answer: PosRecents,
    access: "seller",
    refusals: [],
  }),
  listBrands: defineOperation({
    method: "GET",
    path: "/brands",
    query: PosBrandQuery,
    answer: PosBrands,
    access: "seller",
    refusals: [],
  }),
  listOffers: defineOperation({
    method: "GET",
    path: "/offers",
    query: PosOfferQuery,
    answer: PosOffers,
    access: "seller",
    refusals: [],
  }),
  getOffer: defineOperation({
    method: "GET",
    path: "/offers/:offerId",
    params: PosOfferParams,
    answer: PosOffer,
    access: "seller",
    refusals: ["OFFER_NOT_FOUND", "OFFER_DISABLED"],
  }),
  listPromos: defineOperation({
    method: "GET",
    path: "/promos",
    query: PosPromoQuery,
    answer: PosPromos,
    access: "seller",
    refusals: [],
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
    refusals: [],
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
