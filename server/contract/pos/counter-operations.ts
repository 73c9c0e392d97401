import { PosBill, PosBillInput } from "./bills.ts";
import { PosBrandQuery, PosBrands } from "./brands.ts";
import { PosPhone, PosPhoneQuery, PosRecents } from "./counter.ts";
import { EsimDestinations, PosEsim, PosEsimParams } from "./esims.ts";
import { PosOffer, PosOfferParams, PosOfferQuery, PosOffers } from "./offers.ts";
import { defineOperation } from "./operation.ts";
import { PosPromoQuery, PosPromos } from "./promos.ts";
import { PosQuote, PosQuoteInput } from "./quotes.ts";
import { PosWallet, WalletCheck, WalletCheckInput } from "./wallet.ts";

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
