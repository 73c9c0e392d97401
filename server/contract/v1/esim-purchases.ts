import { type Static, Type } from "typebox";
import { Input, TransactionId, TransactionStatus } from "../common.ts";
import { esimAllowances } from "./offers.ts";
import { purchaseRecord, quoting, toQuoteSchema, Withheld } from "./purchase-record.ts";

/** Integrated Circuit Card Identifier of an eSIM: 18 to 20 digits that begin with 89. */
export const Iccid = Type.String({
  pattern: "^89[0-9]{16,18}$",
  description: "an ICCID: 89 and 16 to 18 more digits",
  examples: ["89014103211118510720"],
});

/**
 * Confirmation of an eSIM: the data with which a phone downloads the profile
 * (rules#esim-confirmation).
 */
export const EsimConfirmation = Type.Object(
  {
    activationCode: Type.String(),
    externalReferenceId: Type.String(),
    iccid: Type.String(),
    redemptionInstructions: Type.String(),
    smdpAddress: Type.String(),
    withheld: Type.Optional(Withheld),
  },
  { title: "EsimConfirmation", description: "Data with which a phone installs the eSIM" },
);
export type EsimConfirmation = Static<typeof EsimConfirmation>;

/** eSIM purchase; `refund` is present after a refund request (rules#record-whole). */
export const EsimPurchase = Type.Object(
  {
    ...purchaseRecord,
    confirmation: Type.Optional(EsimConfirmation),
    ...esimAllowances,
    refund: Type.Optional(
      Type.Object(
        { status: TransactionStatus },
        { title: "EsimRefundStatus", description: "Status of the refund, if one was requested" },
      ),
    ),
  },
  { title: "EsimPurchase", description: "A purchase of an eSIM plan" },
);
export type EsimPurchase = Static<typeof EsimPurchase>;

export const EsimQuote = toQuoteSchema(EsimPurchase, "EsimQuote");

export const EsimPurchaseInput = Input(
  {
    offerId: Type.String({ minLength: 1, maxLength: 128, examples: ["AIRALO_ES_1GB_7D"] }),
    transactionId: TransactionId,
    iccid: Type.Optional(Iccid),
    ...quoting,
  },
  {
    title: "EsimPurchaseInput",
    description: "Ordered plan; with an iccid it is added to that eSIM",
  },
);
export type EsimPurchaseInput = Static<typeof EsimPurchaseInput>;
