import { type Static, Type } from "typebox";
import { Timestamp } from "../common.ts";

/**
 * How a field of a provider's answer deviates. MISSING: absent, null or empty. UNREADABLE: of another
 * kind than the contract says. CONVERTED: understood although it is spelled otherwise. DIFFERS: another
 * value than the one that was sent or is known.
 */
const DEVIATION_KINDS = ["MISSING", "UNREADABLE", "CONVERTED", "DIFFERS"] as const;

/** A field of a provider's answer that is not as the contract says. */
export const Deviation = Type.Object({
  field: Type.String({ description: "Its path in the answer: `confirmation.iccid`" }),
  kind: Type.Enum(DEVIATION_KINDS),
  needed: Type.Boolean({
    description: "The customer or the outcome needs the field: the owner is alerted",
  }),
});
export type Deviation = Static<typeof Deviation>;

export const ANSWER_OPERATIONS = ["PURCHASE", "REFUND", "PLANS", "BILL"] as const;

/** All deviations of one field from one provider. */
export const ProviderDeviation = Type.Object({
  provider: Type.String({ description: "Its host" }),
  operation: Type.Enum(ANSWER_OPERATIONS),
  ...Deviation.properties,
  count: Type.Integer({ description: "Purchases, eSIMs or bills whose answers deviated" }),
  firstAt: Timestamp,
  lastAt: Timestamp,
  lastReference: Type.String({
    description: "Of the latest: a transaction id, an ICCID, or a bill's offer id",
  }),
});
export type ProviderDeviation = Static<typeof ProviderDeviation>;
