import { type Static, Type } from "typebox";
import {
  ClientId,
  CurrencyCode,
  currencyUnit,
  Environment,
  Input,
  MinorAmount,
  PhoneNumber,
  Timestamp,
} from "../common.ts";
import { LONGEST_SHOP_NAME, Name } from "./name.ts";
import { defineOperation, NOTHING } from "./operation.ts";
import { Pin } from "./pins.ts";
import { PriceChange } from "./price-lists.ts";
import { PilotCapsInput, PilotState, Rate } from "./setup.ts";
import { UnfinishedLine } from "./shifts.ts";
import { WalletAlert } from "./wallet-office.ts";

/**
 * Checks before a shop sells live, in the order of the steps. SHIFTS_CLOSED belongs to no step:
 * every switch of the environment requires it.
 */
export const GOING_LIVE_CHECKS = [
  "SHIFTS_CLOSED",
  "PRACTISED",
  "GATEWAY_ANSWERS",
  "GATEWAY_CURRENCY",
  "CLOCKS_EQUAL",
  "GATEWAY_KEY_LIVE",
  "GATEWAY_ENCRYPTED",
  "CATALOG_SYNCED",
  "CATALOG_FOR_COUNTRY",
  "SYNC_READ",
  "PRICES_COVER_COST",
  "RATE_RECENT",
  "RATE_NEAR_REFERENCE",
  "PRICES_SEEN",
  "WALLET_FUNDED",
  "WALLET_MATCHES_GATEWAY",
  "WALLET_COVERS_DAY",
  "ALERT_AMOUNT_SET",
  "ALERT_TESTED",
  "OWNER_PIN_CHANGED",
  "LIMITS_SET",
  "RECEIPT_FILLED",
  "RECEIPT_TESTED",
  "DRAWER_OPENED",
  "BACKUP_RESTORED",
  "DISK_HAS_ROOM",
  "TIME_ZONE_CONFIRMED",
  "WEBHOOKS_ANSWER",
  "LIVE_KEYS_MADE",
  "KEYS_LIMITED",
  "FIRST_SALE",
] as const;
const GoingLiveCheck = Type.Enum(GOING_LIVE_CHECKS);
export type GoingLiveCheck = Static<typeof GoingLiveCheck>;

/** Practice sales in the test environment. The check PRACTISED lists those that are missing. */
export const PRACTICES = [
  "DELIVERED",
  "FAILED",
  "WAITED",
  "CUSTOMER_REFUND",
  "SHIFT_CLOSED",
] as const;
export type Practice = (typeof PRACTICES)[number];

const CheckFigures = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
  description:
    "Values for the check's text in other languages: amounts in minor units, with `currency` and `currencyDivisor`; lists are separated by commas",
});

export const CheckedForLive = Type.Object({
  check: GoingLiveCheck,
  passed: Type.Boolean(),
  stops: Type.Boolean({ description: "True if the switch requires it" }),
  message: Type.String({
    description: "Missing requirement and remedy, in English; empty if passed",
  }),
  figures: CheckFigures,
});
export type CheckedForLive = Static<typeof CheckedForLive>;

const OWNER_CONFIRMATIONS = [
  "TIME_ZONE_CONFIRMED",
  "SYNC_READ",
  "PRICES_SEEN",
  "RECEIPT_TESTED",
  "DRAWER_OPENED",
] as const;
const OwnerConfirmation = Type.Enum(OWNER_CONFIRMATIONS);
export type OwnerConfirmation = Static<typeof OwnerConfirmation>;

export type GoingLiveNote = OwnerConfirmation | "BACKUP_RESTORED" | "FIRST_SALE";

const ConfirmationParams = Type.Object({ what: OwnerConfirmation });

/** State of a backup trial, kept until the gateway stops. */
export const BackupTrial = Type.Object({
  state: Type.Enum(["RUNNING", "FAILED"]),
  failure: Type.Optional(Type.String({ description: "Reason of FAILED" })),
});
export type BackupTrial = Static<typeof BackupTrial>;

/**
 * `GET /pos/till-environment/price-changes` (owner): prices of the shop's list compared with the
 * suggested prices.
 */
export const LivePriceChanges = Type.Object({
  ...currencyUnit,
  offers: Type.Integer({ description: "Number of live offers that can be sold" }),
  changed: Type.Integer({
    description: "Number of them whose price differs from the suggested one",
  }),
  largest: Type.Array(PriceChange, {
    description: "The ten largest differences to the suggested price",
  }),
});
export type LivePriceChanges = Static<typeof LivePriceChanges>;

/** `POST /pos/till-environment/first-sale/offers` (owner): offers for a phone number. */
const FirstSaleOffersInput = Input({ recipientPhoneNumber: PhoneNumber });

const FirstSaleOffer = Type.Object({
  offerId: Type.String(),
  brandName: Type.String(),
  title: Type.String(),
  cost: MinorAmount,
  ...currencyUnit,
  isOfCarrier: Type.Boolean({
    description: "True if its brand is the number's carrier, as far as known",
  }),
});
export type FirstSaleOffer = Static<typeof FirstSaleOffer>;

/** The cheapest offer of each brand, sorted by price. Brands of the number's carrier come first. */
const FirstSaleOffers = Type.Object({ list: Type.Array(FirstSaleOffer) });

/**
 * `POST /pos/till-environment/first-sale` (owner): the first live purchase, which the wallet pays.
 */
export const FirstSaleInput = Input({
  transactionId: ClientId,
  offerId: Type.String({ minLength: 1, maxLength: 128 }),
  recipientPhoneNumber: PhoneNumber,
  pin: Pin,
});
export type FirstSaleInput = Static<typeof FirstSaleInput>;

/** `POST /pos/till-environment/checks` (owner): results of each check for selling in `to`. */
const ReadinessInput = Input({ to: Environment });

export const Readiness = Type.Object({
  environment: Type.Union([Environment], { description: "Current environment of the shop" }),
  to: Environment,
  ready: Type.Boolean(),
  checks: Type.Array(CheckedForLive),
  underWay: Type.Integer({
    description: "Unfinished lines of the current environment; they continue to their end",
  }),
});
export type Readiness = Static<typeof Readiness>;

/**
 * `PUT /pos/till-environment` (owner): sets the environment of the shop's tills. Requires the
 * owner's PIN again and, for live, the shop's name. If requirements are missing, the error
 * TILL_NOT_READY has a field for each failed check, and nothing changes.
 */
export const TillEnvironmentInput = Input({
  to: Environment,
  pin: Pin,
  shopName: Type.Optional(Name(LONGEST_SHOP_NAME)),
  pilot: Type.Optional(PilotCapsInput),
});
export type TillEnvironmentInput = Static<typeof TillEnvironmentInput>;

export const TillEnvironment = Type.Object({ environment: Environment });
export type TillEnvironment = Static<typeof TillEnvironment>;

/** `POST /pos/till-environment/pilot/end` (owner): lets every till sell live, without caps. */
const PilotEndInput = Input({ pin: Pin });

/** Steps of going live. CHECKING: a live gateway is connected, and the shop still sells in test. */
const LIVE_STEPS = ["PRACTICE", "CHECKING", "PILOT", "LIVE"] as const;
export type LiveStep = (typeof LIVE_STEPS)[number];

/** A line of the previous environment: unfinished, or finished after the switch. */
const LeftLine = Type.Object({
  ...UnfinishedLine.properties,
  finishedAt: Type.Optional(Timestamp),
  owed: Type.Boolean({
    description: "True if undelivered and not refunded: the refund is booked in its environment",
  }),
});

/**
 * `GET /pos/till-environment` (owner): the environment and its start, the exchange rate, and the
 * outcomes of sales in the previous environment.
 */
export const TillState = Type.Object({
  environment: Environment,
  step: Type.Enum(LIVE_STEPS),
  pilot: Type.Optional(PilotState),
  since: Type.Optional(Timestamp),
  ...currencyUnit,
  walletCurrency: CurrencyCode,
  alert: Type.Object(WalletAlert.properties, {
    description: "Warning thresholds of the live wallet",
  }),
  rate: Type.Optional(
    Type.Object(
      {
        rate: Rate,
        setAt: Timestamp,
        isOld: Type.Boolean({ description: "True if it is too old to go live" }),
        reference: Type.Optional(
          Type.Object({ rate: Rate, date: Type.String({ description: "YYYY-MM-DD" }) }),
        ),
      },
      { description: "Units of the shop's currency for one of the wallet's, if they differ" },
    ),
  ),
  backupTrial: Type.Optional(BackupTrial),
  left: Type.Object({
    environment: Environment,
    total: Type.Integer({ description: "Number of unfinished lines" }),
    lines: Type.Array(LeftLine, {
      description: "Unfinished lines, then lines finished since the switch; at most 100 of each",
    }),
  }),
});
export type TillState = Static<typeof TillState>;
export type LeftLine = Static<typeof LeftLine>;

/** `PUT /pos/rate` (owner): sets the exchange rate. New prices use it; past sales do not change. */
const RateInput = Input({ rate: Rate });
const ShopRate = Type.Object({ rate: Rate });

export const tillEnvironmentOperations = {
  get: defineOperation({
    method: "GET",
    path: "/till-environment",
    answer: TillState,
    access: "owner",
  }),
  /** Not a GET, because the request queries the provider. */
  check: defineOperation({
    method: "POST",
    path: "/till-environment/checks",
    body: ReadinessInput,
    answer: Readiness,
    access: "owner",
  }),
  change: defineOperation({
    method: "PUT",
    path: "/till-environment",
    body: TillEnvironmentInput,
    answer: TillEnvironment,
    access: "owner",
    refusals: ["PIN_WRONG", "PIN_LOCKED", "PIN_KEY_MISSING", "TILL_NOT_READY"],
  }),
  endPilot: defineOperation({
    method: "POST",
    path: "/till-environment/pilot/end",
    body: PilotEndInput,
    answer: NOTHING,
    access: "owner",
    refusals: ["PIN_WRONG", "PIN_LOCKED", "PIN_KEY_MISSING"],
  }),
  /** Makes the requesting till the only till that sells live. */
  movePilot: defineOperation({
    method: "PUT",
    path: "/till-environment/pilot/till",
    answer: NOTHING,
    access: "owner",
  }),
  /** Stores that an owner has checked the current state of `what`. */
  confirm: defineOperation({
    method: "PUT",
    path: "/till-environment/confirmations/:what",
    params: ConfirmationParams,
    answer: NOTHING,
    access: "owner",
  }),
  /** Makes a backup and restores it to a separate file. `get` returns the outcome. */
  tryBackup: defineOperation({
    method: "POST",
    path: "/till-environment/backup-trial",
    answer: NOTHING,
    access: "owner",
  }),
  listPriceChanges: defineOperation({
    method: "GET",
    path: "/till-environment/price-changes",
    answer: LivePriceChanges,
    access: "owner",
  }),
  /** A POST, so that the phone number is not in the URL. */
  listFirstSaleOffers: defineOperation({
    method: "POST",
    path: "/till-environment/first-sale/offers",
    body: FirstSaleOffersInput,
    answer: FirstSaleOffers,
    access: "owner",
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
  }),
};
