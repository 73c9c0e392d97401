import { type Static, Type } from "typebox";
import { CurrencyCode, CurrencyDivisor, Environment, Input, Timestamp } from "../common.ts";
import { MailAddress } from "./mail.ts";
import { defineOperation, NOTHING } from "./operation.ts";
import type { Rights, SwitchRight } from "./rights.ts";
import { Language } from "./setup.ts";
import type { PosSession } from "./staff.ts";

/** Kinds of alerts, in display order. */
export const ALERT_KINDS = [
  "WALLET",
  "TIE_OUT",
  "CASES",
  "REFUNDS",
  "PROVIDER_SLOW",
  "BRAND_PAUSED",
  "PROVIDER_ANSWERS",
  "OFFERS_BLOCKED",
  "RATE",
  "LIVE_CHECKS",
  "BACKUP",
  "DISK",
  "CLOCK",
  "WEBHOOK",
  "WRONG_PINS",
  "REPORT",
  "MAIL",
  "UPDATE",
  "NETWORK",
] as const;
const AlertKind = Type.Enum(ALERT_KINDS);
export type AlertKind = Static<typeof AlertKind>;

export const ALERT_CAUSES = {
  WALLET: ["WALLET_EMPTY", "WALLET_UNDER_AMOUNT", "WALLET_UNDER_HOURS"],
  TIE_OUT: ["TIE_OUT"],
  CASES: ["CASES"],
  REFUNDS: ["REFUNDS"],
  PROVIDER_SLOW: ["PROVIDER_SLOW"],
  BRAND_PAUSED: ["BRAND_PAUSED"],
  PROVIDER_ANSWERS: ["ANSWER_UNREADABLE"],
  OFFERS_BLOCKED: ["OFFERS_BLOCKED"],
  RATE: ["RATE_OLD", "RATE_DRIFTED"],
  LIVE_CHECKS: ["LIVE_CHECKS"],
  BACKUP: ["BACKUP_FAILED", "BACKUP_OLD", "BACKUP_PLACE", "RECOVERY_KIT", "RESTORED_ACCESS"],
  DISK: ["DISK"],
  CLOCK: ["CLOCK_WRONG"],
  WEBHOOK: ["WEBHOOK_FAILING", "WEBHOOK_PAUSED"],
  WRONG_PINS: ["WRONG_PINS"],
  REPORT: ["REPORT"],
  MAIL: ["MAIL"],
  UPDATE: ["UPDATE_NEWER", "UPDATE_UNDONE"],
  NETWORK: ["PORT_BLOCKED", "PORT_UNREACHED"],
} as const satisfies Record<AlertKind, readonly string[]>;
export type AlertCause = (typeof ALERT_CAUSES)[AlertKind][number];
const CAUSES: readonly AlertCause[] = ALERT_KINDS.flatMap((kind) => ALERT_CAUSES[kind]);

/** Permission required to receive each kind of alert. Only owners receive the other kinds. */
const ALERT_READERS = {
  WALLET: "seeFigures",
  TIE_OUT: "seeFigures",
  CASES: "settleCases",
  REFUNDS: "seeFigures",
  PROVIDER_SLOW: "changeCatalog",
  BRAND_PAUSED: "changeCatalog",
  PROVIDER_ANSWERS: "settleCases",
  OFFERS_BLOCKED: "changePrices",
  RATE: "changePrices",
  LIVE_CHECKS: "owner",
  BACKUP: "owner",
  DISK: "owner",
  CLOCK: "owner",
  WEBHOOK: "owner",
  WRONG_PINS: "owner",
  REPORT: "owner",
  MAIL: "owner",
  UPDATE: "owner",
  NETWORK: "owner",
} as const satisfies Record<AlertKind, SwitchRight | "owner">;

interface Reader {
  readonly role: PosSession["staff"]["role"];
  readonly rights: Rights;
}

/** Returns the kinds of alerts that a person receives (rules#alert-readers). */
export function alertKindsFor({ role, rights }: Reader): AlertKind[] {
  return ALERT_KINDS.filter((kind) => {
    const right = ALERT_READERS[kind];
    return right === "owner" ? role === "owner" : rights[right];
  });
}

export const MAILED_KINDS = ALERT_KINDS.filter((kind) => kind !== "MAIL");

export const ALERT_LEVELS = ["URGENT", "SOON"] as const;
const AlertLevel = Type.Enum(ALERT_LEVELS, {
  description: "URGENT: sales stop, or money is missing; SOON: this is imminent",
});
export type AlertLevel = Static<typeof AlertLevel>;

/** Values for an alert's text. Each kind of alert sets only the values that its text needs. */
export const AlertFacts = Type.Object({
  amount: Type.Optional(Type.Integer({ description: "Minor units of `currency`" })),
  currency: Type.Optional(CurrencyCode),
  currencyDivisor: Type.Optional(CurrencyDivisor),
  limit: Type.Optional(Type.Integer({ description: "Threshold" })),
  hours: Type.Optional(Type.Number({ description: "Hours in which the shop usually sells" })),
  count: Type.Optional(Type.Integer()),
  name: Type.Optional(Type.String({ description: "Of a brand, a person, a host, a schedule" })),
  since: Type.Optional(Timestamp),
  reason: Type.Optional(Type.String({ description: "Reason given by the provider or the system" })),
  rate: Type.Optional(Type.String()),
  reference: Type.Optional(Type.String()),
  percent: Type.Optional(Type.Number()),
  gigabytes: Type.Optional(Type.Number()),
  field: Type.Optional(
    Type.String({ description: "Of a provider's answer: `confirmation.iccid`" }),
  ),
  sale: Type.Optional(Type.String({ description: "Sale number or transaction id" })),
  address: Type.Optional(Type.String({ description: "Address of Tillgate for other machines" })),
});
export type AlertFacts = Static<typeof AlertFacts>;

/** A condition that an owner, or a person with the permission, should resolve. */
export const Alert = Type.Object({
  alertId: Type.String(),
  environment: Type.Optional(Environment),
  kind: AlertKind,
  cause: Type.Enum([...CAUSES]),
  level: AlertLevel,
  facts: AlertFacts,
  openedAt: Timestamp,
  resolvedAt: Type.Optional(Timestamp),
  silenced: Type.Optional(
    Type.Object({ at: Timestamp, name: Type.String() }, { description: "Until it changes" }),
  ),
});
export type Alert = Static<typeof Alert>;

/**
 * `GET /pos/alerts`: alerts that the person may resolve. Alerts of the test environment are listed
 * only while the shop sells in that environment.
 */
export const AlertList = Type.Object({
  watched: Type.Array(AlertKind, { description: "Kinds of alerts that the person receives" }),
  isChecking: Type.Optional(
    Type.Boolean({ description: "The gateway started, and its first check is not complete" }),
  ),
  open: Type.Array(Alert, { description: "The most urgent first, silenced ones last" }),
  resolved: Type.Array(Alert, { description: "Of the last seven days, the latest first" }),
});
export type AlertList = Static<typeof AlertList>;

const SilenceInput = Input({ on: Type.Boolean() });

const AlertMailRecipient = Input({
  address: MailAddress,
  language: Language,
  kinds: Type.Array(Type.Enum([...MAILED_KINDS]), { uniqueItems: true, minItems: 1 }),
});

/** `GET` and `PUT /pos/alert-mail` (owner): recipients of alerts by e-mail. */
export const AlertMail = Input({ list: Type.Array(AlertMailRecipient, { maxItems: 10 }) });
export type AlertMail = Static<typeof AlertMail>;

export const alertOperations = {
  list: defineOperation({
    method: "GET",
    path: "/alerts",
    answer: AlertList,
    access: "staff",
  }),
  silence: defineOperation({
    method: "PUT",
    path: "/alerts/:alertId/silence",
    params: Type.Object({ alertId: Type.String({ minLength: 1, maxLength: 64 }) }),
    body: SilenceInput,
    answer: NOTHING,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  getMail: defineOperation({
    method: "GET",
    path: "/alert-mail",
    answer: AlertMail,
    access: "owner",
  }),
  setMail: defineOperation({
    method: "PUT",
    path: "/alert-mail",
    body: AlertMail,
    answer: AlertMail,
    access: "owner",
  }),
};
