import { type Static, Type } from "typebox";

/**
 * What we read of an upstream's records. The specification makes fields of a record optional and
 * our own contract adds some: only what is needed is required, and nothing of the wrong kind passes.
 */
const Text = Type.Optional(Type.String({ maxLength: 16 * 1024 }));
const Amount = Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }));

/** A status of a transaction; one that we do not know is one that is not final. */
const Status = Type.String({ maxLength: 64 });

const UpstreamError = Type.Object({ code: Text, message: Text, description: Text });

const UpstreamConfirmation = Type.Object({
  confirmationNumber: Text,
  externalReferenceId: Text,
  transactionTime: Text,
  activationCode: Text,
  iccid: Text,
  redemptionInstructions: Text,
  smdpAddress: Text,
});

const UpstreamReceipt = Type.Object({
  deliveryType: Text,
  confirmationNumber: Text,
  currency: Text,
  epin: Text,
  voucherId: Text,
  redemptionUrl: Text,
  accountId: Text,
  expiresAt: Text,
  instructions: Text,
  notes: Text,
  recipientCustomerServiceNumber: Text,
  senderCustomerServiceNumber: Text,
  terms: Text,
  send: Amount,
});

/** A purchase of any family (rules#upstream-liberal-reading). */
export const UpstreamPurchase = Type.Object({
  transactionId: Type.String(),
  status: Status,
  offerId: Text,
  updatedAt: Text,
  error: Type.Optional(UpstreamError),
  cost: Amount,
  costCurrency: Text,
  costCurrencyDivisor: Amount,
  recipientPhoneNumber: Text,
  fields: Type.Optional(Type.Array(Type.Object({ key: Type.String(), value: Type.String() }))),
  confirmation: Type.Optional(UpstreamConfirmation),
  receipt: Type.Optional(UpstreamReceipt),
});
export type UpstreamPurchase = Static<typeof UpstreamPurchase>;

/** A refund. */
export const UpstreamRefund = Type.Object({
  status: Status,
  error: Type.Optional(UpstreamError),
  createdAt: Text,
  refundedTransactionId: Text,
});

/** Plans of an eSIM. */
export const UpstreamPlans = Type.Object({
  list: Type.Array(
    Type.Object({
      description: Text,
      endAt: Text,
      initialDataGB: Type.Optional(Type.Number({ minimum: 0 })),
      offerId: Text,
      reamainingDataGB: Type.Optional(Type.Number({ minimum: 0 })),
      startAt: Text,
      status: Text,
      unlimited: Type.Optional(Type.Boolean()),
    }),
    { maxItems: 1000 },
  ),
  firstInstalledAt: Text,
});

/** A bill, as far as it is ours to ask: what is due. */
export const UpstreamBill = Type.Object({
  send: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  sendCurrency: Type.String(),
});

/** What was accepted. */
export const UpstreamAccepted = Type.Object({ status: Status, transactionId: Type.String() });

/** Whether a status is this one, in whatever case it is written. */
export function isStatus(status: string | undefined, wanted: string): boolean {
  return status?.toUpperCase() === wanted;
}
