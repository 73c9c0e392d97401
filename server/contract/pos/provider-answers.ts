import { type Static, Type } from "typebox";
import { Timestamp } from "../common.ts";

/**
 * Kinds of deviations in a provider's response. MISSING: absent, null or empty. UNREADABLE: of
 * another type than the contract states. CONVERTED: in another notation, but understood. DIFFERS: a
 * value that contradicts a sent or known value.
 */
const DEVIATION_KINDS = ["MISSING", "UNREADABLE", "CONVERTED", "DIFFERS"] as const;

export const Deviation = Type.Object({
  field: Type.String({ description: "Path in the answer, such as `confirmation.iccid`" }),
  kind: Type.Enum(DEVIATION_KINDS),
  needed: Type.Boolean({
    description: "The customer or the outcome needs the field: the owner is alerted",
  }),
});
export type Deviation = Static<typeof Deviation>;

export const ANSWER_OPERATIONS = ["PURCHASE", "REFUND", "PLANS", "BILL"] as const;

export const ProviderDeviation = Type.Object({
  provider: Type.String({ description: "Host of the provider" }),
  operation: Type.Enum(ANSWER_OPERATIONS),
  ...Deviation.properties,
  count: Type.Integer({ description: "Purchases, eSIMs or bills whose answers deviated" }),
  firstAt: Timestamp,
  lastAt: Timestamp,
  lastReference: Type.String({
    description: "Latest transaction id, ICCID, or offer id of a bill",
  }),
});
export type ProviderDeviation = Static<typeof ProviderDeviation>;
