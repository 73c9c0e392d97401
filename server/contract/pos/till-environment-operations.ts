import {
  ConfirmationParams,
  FirstSaleInput,
  FirstSaleOffers,
  FirstSaleOffersInput,
  LivePriceChanges,
} from "./going-live.ts";
import { defineOperation, NOTHING } from "./operation.ts";
import {
  PilotEndInput,
  RateInput,
  Readiness,
  ReadinessInput,
  ShopRate,
  TillEnvironment,
  TillEnvironmentInput,
  TillState,
} from "./till-environment.ts";

/** An owner takes the shop live and back. */
export const tillEnvironmentOperations = {
  get: defineOperation({
    method: "GET",
    path: "/till-environment",
    answer: TillState,
    access: "owner",
    refusals: [],
  }),
  /** The provider is asked, so it is no GET. */
  check: defineOperation({
    method: "POST",
    path: "/till-environment/checks",
    body: ReadinessInput,
    answer: Readiness,
    access: "owner",
    refusals: [],
  }),
  change: defineOperation({
    method: "PUT",
    path: "/till-environment",
    body: TillEnvironmentInput,
    answer: TillEnvironment,
    access: "owner",
    refusals: ["PIN_WRONG", "PIN_LOCKED", "PIN_KEY_MISSING", "TILL_NOT_READY"],
  }),
  /** Every till sells live, without caps. */
  endPilot: defineOperation({
    method: "POST",
    path: "/till-environment/pilot/end",
    body: PilotEndInput,
    answer: NOTHING,
    access: "owner",
    refusals: ["PIN_WRONG", "PIN_LOCKED", "PIN_KEY_MISSING"],
  }),
  /** The till that asks is the one that sells. */
  movePilot: defineOperation({
    method: "PUT",
    path: "/till-environment/pilot/till",
    answer: NOTHING,
    access: "owner",
    refusals: [],
  }),
  /** An owner has seen something as it is now. */
  confirm: defineOperation({
    method: "PUT",
    path: "/till-environment/confirmations/:what",
    params: ConfirmationParams,
    answer: NOTHING,
    access: "owner",
    refusals: [],
  }),
  /** Makes a backup and restores it into a file of its own; `get` tells what becomes of it. */
  tryBackup: defineOperation({
    method: "POST",
    path: "/till-environment/backup-trial",
    answer: NOTHING,
    access: "owner",
    refusals: [],
  }),
  listPriceChanges: defineOperation({
    method: "GET",
    path: "/till-environment/price-changes",
    answer: LivePriceChanges,
    access: "owner",
    refusals: [],
  }),
  /** Phone numbers stand in no address. */
  listFirstSaleOffers: defineOperation({
    method: "POST",
    path: "/till-environment/first-sale/offers",
    body: FirstSaleOffersInput,
    answer: FirstSaleOffers,
    access: "owner",
    refusals: [],
  }),
  makeFirstSale: defineOperation({
    method: "POST",
    path: "/till-environment/first-sale",
    body: FirstSaleInput,
    answer: NOTHING,
    access: "owner",
    refusals: [
      "PIN_WRONG",
      "PIN_LOCKED",
      "PIN_KEY_MISSING",
      "NOT_FOUND",
      "WALLET_SHORT",
      "OFFER_NOT_FOUND",
      "OFFER_DISABLED",
      "DUPLICATE_TRANSACTION_ID",
      "REQUIRED_FIELD_MISSING",
      "VALUE_REQUIRED",
      "VALUE_NOT_ALLOWED",
      "VALUE_OUT_OF_RANGE",
      "PRICE_CHANGED",
    ],
  }),
  setRate: defineOperation({
    method: "PUT",
    path: "/rate",
    body: RateInput,
    answer: ShopRate,
    access: "owner",
    refusals: [],
  }),
};
