import { type Static, Type } from "typebox";
import {
  CurrencyCode,
  CurrencyDivisor,
  Environment,
  Input,
  MinorAmount,
  PhoneNumber,
  Timestamp,
} from "../common.ts";
import { ClientId } from "./client-id.ts";
import { LONGEST_SHOP_NAME, Name } from "./name.ts";
import { defineOperation, NOTHING } from "./operation.ts";
import { PilotCapsInput, PilotState } from "./pilot.ts";
import { Pin } from "./pins.ts";
import { PriceChange } from "./price-lists.ts";
import { Rate } from "./setup.ts";
import { UnfinishedLine } from "./shifts.ts";
import { WalletAlert } from "./wallet-office.ts";

/**
 * The checks before a shop sells in live, by the steps of the way there. SHIFTS_CLOSED is no step: it is
 * the condition of every switch.
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

/** What a shop should have practised in test, as the figure `missing` of PRACTISED names it. */
export const PRACTICES = [
  "DELIVERED",
  "FAILED",
  "WAITED",
  "CUSTOMER_REFUND",
  "SHIFT_CLOSED",
] as const;
export type Practice = (typeof PRACTICES)[number];

/** The values that the text of a check names. */
const CheckFigures = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
  description:
    "Values of the check for a text in another language: amounts in minor units, with `currency` and `currencyDivisor`; several words are separated by commas",
});

/** One check and its result. */
export const CheckedForLive = Type.Object({
  check: GoingLiveCheck,
  passed: Type.Boolean(),
  stops: Type.Boolean({ description: "Whether the shop cannot go there without it" }),
  message: Type.String({
    description: "In English: what is missing and what to do; empty where it passed",
  }),
  figures: CheckFigures,
});
export type CheckedForLive = Static<typeof CheckedForLive>;

/** What an owner looked at on the way to live, and says so. */
const OWNER_CONFIRMATIONS = [
  "TIME_ZONE_CONFIRMED",
  "SYNC_READ",
  "PRICES_SEEN",
  "RECEIPT_TESTED",
  "DRAWER_OPENED",
] as const;
const OwnerConfirmation = Type.Enum(OWNER_CONFIRMATIONS);
export type OwnerConfirmation = Static<typeof OwnerConfirmation>;

/** Everything that is noted of the way: what was confirmed, and what was tried out. */
export type GoingLiveNote = OwnerConfirmation | "BACKUP_RESTORED" | "FIRST_SALE";

/** `PUT /pos/till-environment/confirmations/:what` (owner) */
const ConfirmationParams = Type.Object({ what: OwnerConfirmation });

/** The backup that is being made and restored into a file of its own, until the gateway ends. */
export const BackupTrial = Type.Object({
  state: Type.Enum(["RUNNING", "FAILED"]),
  failure: Type.Optional(Type.String({ description: "Why it FAILED" })),
});
export type BackupTrial = Static<typeof BackupTrial>;

/** `GET /pos/till-environment/price-changes` (owner): what the shop's list makes of suggested prices. */
export const LivePriceChanges = Type.Object({
  currency: CurrencyCode,
  currencyDivisor: CurrencyDivisor,
  offers: Type.Integer({ description: "Offers of live that can be sold" }),
  changed: Type.Integer({ description: "Those that have another price than the suggested one" }),
  largest: Type.Array(PriceChange, { description: "The ten furthest from the suggested price" }),
});
export type LivePriceChanges = Static<typeof LivePriceChanges>;

/** `POST /pos/till-environment/first-sale/offers` (owner): what could be sent to a number. */
const FirstSaleOffersInput = Input({ recipientPhoneNumber: PhoneNumber });

const FirstSaleOffer = Type.Object({
  offerId: Type.String(),
  brandName: Type.String(),
  title: Type.String(),
  cost: MinorAmount,
  currency: CurrencyCode,
  currencyDivisor: CurrencyDivisor,
  isOfCarrier: Type.Boolean({ description: "Its brand is that of the number, as far as known" }),
});
export type FirstSaleOffer = Static<typeof FirstSaleOffer>;

/** The cheapest of each brand, those of the number's carrier first, then the cheapest. */
const FirstSaleOffers = Type.Object({ list: Type.Array(FirstSaleOffer) });

/** `POST /pos/till-environment/first-sale` (owner): the first live purchase; it is paid by the wallet. */
export const FirstSaleInput = Input({
  transactionId: ClientId,
  offerId: Type.String({ minLength: 1, maxLength: 128 }),
  recipientPhoneNumber: PhoneNumber,
  pin: Pin,
});
export type FirstSaleInput = Static<typeof FirstSaleInput>;

/** `POST /pos/till-environment/checks` (owner): whether the shop can sell in `to`, line by line. */
const ReadinessInput = Input({ to: Environment });

export const Readiness = Type.Object({
  environment: Type.Union([Environment], { description: "Where the shop sells now" }),
  to: Environment,
  ready: Type.Boolean(),
  checks: Type.Array(CheckedForLive),
  underWay: Type.Integer({
    description:
      "Lines sold where the shop sells now that are not finished: they go on to their end",
  }),
});
export type Readiness = Static<typeof Readiness>;

/**
 * `PUT /pos/till-environment` (owner): where the shop's tills sell from now on. Takes the owner's own
 * PIN again, and to live the shop's name. What is missing is TILL_NOT_READY with a field for each
 * check; the shop stays where it is.
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

/** `POST /pos/till-environment/pilot/end` (owner): every till sells live, without caps. */
const PilotEndInput = Input({ pin: Pin });

/** How far a shop is on the way to live. CHECKING: a gateway is connected to live. */
const LIVE_STEPS = ["PRACTICE", "CHECKING", "PILOT", "LIVE"] as const;
export type LiveStep = (typeof LIVE_STEPS)[number];

/** A line sold where the shop no longer sells: under way, or finished since the shop left. */
const LeftLine = Type.Object({
  ...UnfinishedLine.properties,
  finishedAt: Type.Optional(Timestamp),
  owed: Type.Boolean({
    description: "Not delivered, and its money not handed back: it is booked where it was sold",
  }),
});

/**
 * `GET /pos/till-environment` (owner): where the shop sells, since when it does, what its exchange rate
 * is, and what became of sales of the environment that it left.
 */
export const TillState = Type.Object({
  environment: Environment,
  step: Type.Enum(LIVE_STEPS),
  pilot: Type.Optional(PilotState),
  since: Type.Optional(Timestamp),
  currency: CurrencyCode,
  currencyDivisor: CurrencyDivisor,
  walletCurrency: CurrencyCode,
  alert: Type.Object(WalletAlert.properties, { description: "Under what the live wallet is low" }),
  rate: Type.Optional(
    Type.Object(
      {
        rate: Rate,
        setAt: Timestamp,
        isOld: Type.Boolean({ description: "Nobody goes live with it" }),
        reference: Type.Optional(
          Type.Object({ rate: Rate, date: Type.String({ description: "YYYY-MM-DD" }) }),
        ),
      },
      { description: "Units of the shop's currency for one of the wallet's, where they differ" },
    ),
  ),
  backupTrial: Type.Optional(BackupTrial),
  left: Type.Object({
    environment: Environment,
    total: Type.Integer({ description: "Lines that are not finished" }),
    lines: Type.Array(LeftLine, {
      description: "Those not finished, then those finished since it was left; 100 at most of each",
    }),
  }),
});
export type TillState = Static<typeof TillState>;
export type LeftLine = Static<typeof LeftLine>;

/** `PUT /pos/rate` (owner): today's exchange rate. Prices follow it; no sale of the past does. */
const RateInput = Input({ rate: Rate });
const ShopRate = Type.Object({ rate: Rate });

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
