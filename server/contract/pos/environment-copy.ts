import { type Static, type TSchema, Type } from "typebox";
import { CurrencyCode, CurrencyDivisor, Environment, Input } from "../common.ts";
import { Family } from "./families.ts";
import { SwitchTarget } from "./office-catalog.ts";
import { defineOperation } from "./operation.ts";
import { type PriceList, PriceListSettings, PriceRule } from "./prices.ts";
import { ScheduleInput } from "./shop-reports.ts";
import { WalletAlert } from "./wallet-office.ts";
import { WebhookKind } from "./webhooks.ts";

/** What is kept for each environment, and may be copied from one to the other. */
const DIFFERENCE_KINDS = [
  "PRICE_RULE",
  "PRICE_SETTING",
  "SWITCH",
  "PINS",
  "WALLET_ALERT",
  "SENDING_AGAIN",
  "WEBHOOK",
  "SCHEDULE",
  "CUSTOMER",
] as const;
const DifferenceKind = Type.Enum(DIFFERENCE_KINDS);
export type DifferenceKind = Static<typeof DifferenceKind>;

/** The settings of a price list, each copied by itself. */
export const LIST_SETTINGS = [
  "rounding",
  "floor",
  "taxes",
  "fxBufferPercent",
  "driftAlertPercent",
] as const satisfies readonly (keyof PriceList)[];
export type ListSetting = (typeof LIST_SETTINGS)[number];

const COPY_BLOCKS = [
  "NOT_IN_CATALOG",
  "PRICES_PLANNED",
  "RULE_CLASHES",
  "VERIFIED_ALREADY",
  "NO_ROOM",
] as const;
const CopyBlock = Type.Enum(COPY_BLOCKS, {
  description:
    "Why it cannot be copied: the other side's catalog has nothing of it; prices there start later by themselves; a rule there is for the same; another webhook verifies there already; there are as many webhooks as there may be",
});
export type CopyBlock = Static<typeof CopyBlock>;

/** One thing in both environments; absent where there is none. */
function Sides<Schema extends TSchema>(schema: Schema) {
  return Type.Optional(Type.Object({ from: Type.Optional(schema), to: Type.Optional(schema) }));
}

/** One difference; what is of another kind is absent. */
export const EnvironmentDifference = Type.Object({
  id: Type.String(),
  stamp: Type.String({ description: "Of what is on both sides now; sent back to copy it" }),
  kind: DifferenceKind,
  blocked: Type.Optional(CopyBlock),
  missing: Type.Array(Type.String(), {
    description: "Offers that the other side's catalog does not have: they are left out",
  }),
  rule: Sides(PriceRule),
  setting: Type.Optional(Type.Enum(LIST_SETTINGS)),
  settings: Sides(PriceListSettings),
  target: Type.Optional(SwitchTarget),
  shown: Sides(Type.Boolean()),
  offers: Type.Optional(
    Type.Integer({ description: "Of a switch: how many it would show or hide by itself" }),
  ),
  family: Type.Optional(Family),
  pins: Sides(Type.Array(Type.String())),
  alert: Sides(WalletAlert),
  queueEnabled: Sides(Type.Boolean()),
  webhook: Type.Optional(Type.Object({ kind: WebhookKind, url: Type.String() })),
  schedule: Sides(ScheduleInput),
  number: Type.Optional(Type.String()),
  name: Sides(Type.String()),
});
export type EnvironmentDifference = Static<typeof EnvironmentDifference>;

/** `GET /pos/environment-differences` (owner). */
const DifferenceQuery = Input({ from: Environment });

export const EnvironmentDifferences = Type.Object({
  from: Environment,
  to: Environment,
  currency: CurrencyCode,
  currencyDivisor: CurrencyDivisor,
  walletCurrency: CurrencyCode,
  walletCurrencyDivisor: CurrencyDivisor,
  hasCatalog: Type.Boolean({ description: "Whether the other side has a catalog" }),
  list: Type.Array(EnvironmentDifference),
  brands: Type.Array(Type.Object({ brand: Type.String(), brandName: Type.String() }), {
    description: "What the brands in `list` are called",
  }),
  offers: Type.Array(
    Type.Object({ offerId: Type.String(), brandName: Type.String(), title: Type.String() }),
    { description: "What the offers in `list` are called" },
  ),
});
export type EnvironmentDifferences = Static<typeof EnvironmentDifferences>;

/**
 * `POST /pos/environment-differences/copies` (owner): all of them or none, in one step. One that is not
 * as it was when it was looked at is DIFFERENCE_CHANGED, with a field for each.
 */
export const CopyInput = Input({
  from: Environment,
  items: Type.Array(
    Input({
      id: Type.String({ minLength: 1, maxLength: 300 }),
      stamp: Type.String({ minLength: 1, maxLength: 64 }),
    }),
    { minItems: 1, maxItems: 2_000 },
  ),
});
export type CopyInput = Static<typeof CopyInput>;

export const CopyResult = Type.Object({
  copied: Type.Integer(),
  secrets: Type.Array(
    Type.Object({ kind: WebhookKind, url: Type.String(), secret: Type.String() }),
    { description: "What new webhooks are signed with, shown this once" },
  ),
});
export type CopyResult = Static<typeof CopyResult>;

/** What differs between test and live, and what an owner copies from one to the other. */
export const environmentCopyOperations = {
  list: defineOperation({
    method: "GET",
    path: "/environment-differences",
    query: DifferenceQuery,
    answer: EnvironmentDifferences,
    access: "owner",
    refusals: [],
  }),
  copy: defineOperation({
    method: "POST",
    path: "/environment-differences/copies",
    body: CopyInput,
    answer: CopyResult,
    access: "owner",
    refusals: ["DIFFERENCE_CHANGED"],
    bodyLimitBytes: 1024 * 1024,
  }),
};
