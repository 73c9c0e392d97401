import { type Static, Type } from "typebox";
import { Input, Timestamp } from "../common.ts";
import { ConfirmNumber } from "./number-check.ts";
import { defineOperation } from "./operation.ts";
import { ReceiptText } from "./receipt-text.ts";
import { DayStart, TimeZone } from "./shop-day.ts";
import { CashStep } from "./tenders.ts";

const EnvironmentSettings = Input({
  queueEnabled: Type.Boolean({
    description: "True if recoverable provider errors are retried for 24 hours",
  }),
});
export type EnvironmentSettings = Static<typeof EnvironmentSettings>;

/** Maximum value of `idleLockMinutes`. The value 0 disables the lock. */
export const MOST_IDLE_MINUTES = 120;

const MOST_NUMBER_DAYS = 3_650;

/** `GET` and `PUT /pos/settings` (owner): settings of the account and of each environment. */
export const PosSettings = Input({
  lookupEnabled: Type.Boolean({ description: "True if API keys may look up phone numbers" }),
  idleLockMinutes: Type.Integer({
    minimum: 0,
    maximum: MOST_IDLE_MINUTES,
    description:
      "a number of minutes from 0 to 120: the till locks itself after that long; 0 never",
  }),
  timeZone: TimeZone,
  dayStartsAt: Type.Optional(DayStart),
  cashStep: Type.Optional(CashStep),
  confirmNumber: Type.Optional(ConfirmNumber),
  keepNumbersDays: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MOST_NUMBER_DAYS,
      description:
        "a number of days from 0 to 3650: how long customers' numbers of ended sales are kept; 0 for good",
    }),
  ),
  receipt: ReceiptText,
  environments: Input({ test: EnvironmentSettings, live: EnvironmentSettings }),
});
export type PosSettings = Static<typeof PosSettings>;

/** `GET /pos/clock` (owner): time of the machine's clock and of the newest record. */
export const ClockState = Type.Object({
  now: Timestamp,
  newest: Type.Optional(Timestamp),
  isWrong: Type.Boolean({
    description: "True if the clock is wrong: nothing is sold (rules#business-time)",
  }),
});
export type ClockState = Static<typeof ClockState>;

/** `POST /pos/clock`: an owner confirms that the clock is right. */
const ClockInput = Input({
  now: {
    ...Timestamp,
    description: "Time that the owner confirmed: within five minutes of the clock",
  },
});
export type ClockInput = Static<typeof ClockInput>;

export const settingsOperations = {
  get: defineOperation({
    method: "GET",
    path: "/settings",
    answer: PosSettings,
    access: "owner",
  }),
  change: defineOperation({
    method: "PUT",
    path: "/settings",
    body: PosSettings,
    answer: PosSettings,
    access: "owner",
  }),
  getClock: defineOperation({
    method: "GET",
    path: "/clock",
    answer: ClockState,
    access: "owner",
  }),
  /** After this confirmation, business time continues from the newest record. */
  acceptClock: defineOperation({
    method: "POST",
    path: "/clock",
    body: ClockInput,
    answer: ClockState,
    access: "owner",
    asksPin: "always",
  }),
};
