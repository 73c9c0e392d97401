import { type Static, type TSchema, Type } from "typebox";
import { CurrencyCode, CurrencyDivisor, currencyUnit, Environment, Input } from "../common.ts";
import { Family } from "./families.ts";
import { SwitchTarget } from "./office-catalog.ts";
import { defineOperation } from "./operation.ts";
import { type PriceList, PriceListSettings, PriceRule } from "./prices.ts";
import { ScheduleInput } from "./shop-reports.ts";
import { WalletAlert } from "./wallet-office.ts";
import { WebhookKind } from "./webhooks.ts";

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

/** Settings of a price list. Each is copied separately. */
export const LIST_SETTINGS = [
  "defaults",
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
    "Reason why it cannot be copied: the other side's catalog has none of it; prices there change at a later start; a rule there has the same target; another webhook verifies there already; the maximum number of webhooks is reached",
});
export type CopyBlock = Static<typeof CopyBlock>;

/** Values of a setting in the two environments; absent for other kinds of differences. */
function Sides<Schema extends TSchema>(schema: Schema) {
  return Type.Optional(Type.Object({ from: Type.Optional(schema), to: Type.Optional(schema) }));
}

/** A difference between the environments. Only the fields of its kind are present. */
export const EnvironmentDifference = Type.Object({
  id: Type.String(),
  stamp: Type.String({
    description: "Digest of both sides' current values; required to copy them",
  }),
  kind: DifferenceKind,
  blocked: Type.Optional(CopyBlock),
  missing: Type.Array(Type.String(), {
    description: "Offers that the other side's catalog lacks: they are omitted",
  }),
  rule: Sides(PriceRule),
  setting: Type.Optional(Type.Enum(LIST_SETTINGS)),
  settings: Sides(PriceListSettings),
  target: Type.Optional(SwitchTarget),
  shown: Sides(Type.Boolean()),
  offers: Type.Optional(
    Type.Integer({ description: "Number of offers that a switch would show or hide" }),
  ),
  family: Type.Optional(Family),
  pins: Sides(Type.Array(Type.String())),
  alert: Sides(WalletAlert),
  queueEnabled: Sides(Type.Boolean()),
  webhook: Type.Optional(Type.Object({ kinds: Type.Array(WebhookKind), url: Type.String() })),
  schedule: Sides(ScheduleInput),
  number: Type.Optional(Type.String()),
  name: Sides(Type.String()),
});
export type EnvironmentDifference = Static<typeof EnvironmentDifference>;

const DifferenceQuery = Input({ from: Environment });

export const EnvironmentDifferences = Type.Object({
  from: Environment,
  to: Environment,
  ...currencyUnit,
  walletCurrency: CurrencyCode,
  walletCurrencyDivisor: CurrencyDivisor,
  hasCatalog: Type.Boolean({ description: "True if the other side has a catalog" }),
  list: Type.Array(EnvironmentDifference),
  brands: Type.Array(Type.Object({ brand: Type.String(), brandName: Type.String() }), {
    description: "Names of the brands in `list`",
  }),
  offers: Type.Array(
    Type.Object({ offerId: Type.String(), brandName: Type.String(), title: Type.String() }),
    { description: "Titles of the offers in `list`" },
  ),
});
export type EnvironmentDifferences = Static<typeof EnvironmentDifferences>;

/**
 * `POST /pos/environment-differences/copies` (owner): copies all items or none. The error
 * DIFFERENCE_CHANGED names each difference that changed after it was displayed.
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
    Type.Object({
      kinds: Type.Array(WebhookKind),
      url: Type.String(),
      secret: Type.String(),
    }),
    { description: "Signing secrets of new webhooks, shown only once" },
  ),
});
export type CopyResult = Static<typeof CopyResult>;

export const environmentCopyOperations = {
  list: defineOperation({
    method: "GET",
    path: "/environment-differences",
    query: DifferenceQuery,
    answer: EnvironmentDifferences,
    access: "owner",
  }),
  copy: defineOperation({
    method: "POST",
    path: "/environment-differences/copies",
    body: CopyInput,
    answer: CopyResult,
    access: "owner",
    asksPin: "sometimes",
    refusals: ["DIFFERENCE_CHANGED"],
    bodyLimitBytes: 1024 * 1024,
  }),
};
