import { type Static, Type } from "typebox";
import { Environment, Input } from "../common.ts";
import { LONGEST_SHOP_NAME, Name } from "./name.ts";
import { Pin, Rate } from "./setup.ts";

/** What is looked at before a shop sells in live, in the order it is told. */
const GOING_LIVE_CHECKS = [
  "SHIFTS_CLOSED",
  "GATEWAY_CONNECTED",
  "GATEWAY_ANSWERS",
  "CATALOG_SYNCED",
  "CATALOG_HAS_OFFERS",
  "PRICES_COVER_COST",
  "RATE_RECENT",
  "WALLET_FUNDED",
  "OWNER_PIN_CHANGED",
  "BACKUP_MADE",
  "DISK_HAS_ROOM",
  "TIME_ZONE_SET",
  "PRACTISED",
  "GATEWAY_ENCRYPTED",
  "CATALOG_COMPLETE",
  "CATALOG_FOR_COUNTRY",
  "RATE_NEAR_REFERENCE",
  "WALLET_MATCHES_GATEWAY",
  "LIMITS_SET",
  "RECEIPT_FILLED",
  "WEBHOOKS_ANSWER",
] as const;
const GoingLiveCheck = Type.Enum(GOING_LIVE_CHECKS);
export type GoingLiveCheck = Static<typeof GoingLiveCheck>;

/** One thing that was looked at. */
export const CheckedForLive = Type.Object({
  check: GoingLiveCheck,
  passed: Type.Boolean(),
  stops: Type.Boolean({ description: "Whether the shop cannot go there without it" }),
  message: Type.String({
    description: "In English: how it is, and where it is missing what to do",
  }),
  figures: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
    description: "What `message` names, for whoever words it anew",
  }),
});
export type CheckedForLive = Static<typeof CheckedForLive>;

/** `POST /pos/till-environment/checks` (owner): whether the shop can sell in `to`, line by line. */
export const ReadinessInput = Input({ to: Environment });

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
});
export type TillEnvironmentInput = Static<typeof TillEnvironmentInput>;

export const TillEnvironment = Type.Object({ environment: Environment });
export type TillEnvironment = Static<typeof TillEnvironment>;

/** `PUT /pos/rate` (owner): today's exchange rate. Prices follow it; no sale of the past does. */
export const RateInput = Input({ rate: Rate });
export const ShopRate = Type.Object({ rate: Rate });
