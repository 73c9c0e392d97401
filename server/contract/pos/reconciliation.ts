import { type Static, Type } from "typebox";
import {
  CurrencyCode,
  CurrencyDivisor,
  currencyUnit,
  Environment,
  Input,
  MinorAmount,
  Timestamp,
  TransactionId,
} from "../common.ts";
import { LogItem, TransactionError } from "../v1/purchase-record.ts";
import { TransactionType } from "../v1/transactions.ts";
import { FAMILIES } from "./families.ts";
import { defineOperation } from "./operation.ts";

/** Outcomes that an owner can state: the provider executed the request, or never did. */
export const RECONCILIATION_OUTCOMES = ["delivered", "not-delivered"] as const;
const ReconciliationOutcome = Type.Enum(RECONCILIATION_OUTCOMES);
export type ReconciliationOutcome = Static<typeof ReconciliationOutcome>;

export const LONGEST_NOTE = 500;

/**
 * A transaction that failed in Tillgate, but that the provider may have executed. For a refund,
 * offer, recipient and price are those of the refunded purchase.
 */
export const ReconciliationCase = Type.Object({
  transactionId: TransactionId,
  environment: Environment,
  kind: Type.Enum([...FAMILIES, "REFUND"]),
  refundedTransactionId: Type.Optional(Type.String()),
  offerId: Type.String(),
  brand: Type.String(),
  brandName: Type.String(),
  country: Type.String(),
  title: Type.String({ description: "Title of the ordered offer in the catalog" }),
  recipient: Type.String({ description: "Empty without a recipient, such as for a new eSIM" }),
  fields: Type.Array(Type.Object({ key: Type.String(), value: Type.String() }), {
    description: "Values of a voucher's buyer or a bill's payer",
  }),
  send: MinorAmount,
  sendCurrency: CurrencyCode,
  sendCurrencyDivisor: CurrencyDivisor,
  cost: MinorAmount,
  costCurrency: CurrencyCode,
  costCurrencyDivisor: CurrencyDivisor,
  price: MinorAmount,
  priceCurrency: CurrencyCode,
  priceCurrencyDivisor: CurrencyDivisor,
  acceptedAt: Timestamp,
  failedAt: Timestamp,
  error: TransactionError,
  attempts: Type.Integer({ description: "Number of started attempts at the provider" }),
  log: Type.Array(LogItem),
  lastWord: Type.String({ description: "Last answer of the provider, for people" }),
  provider: Type.Object({
    kind: Type.Enum(["simulator", "upstream", "none"]),
    host: Type.Optional(Type.String({ description: "Name of the provider, by default its host" })),
    connected: Type.Boolean(),
  }),
  sale: Type.Optional(
    Type.Object({
      saleId: Type.String(),
      saleNumber: Type.Integer(),
      clerk: Type.String(),
    }),
  ),
  decisions: Type.Object(
    { delivered: Type.String(), notDelivered: Type.String() },
    { description: "Effect of each decision, for people" },
  ),
});
export type ReconciliationCase = Static<typeof ReconciliationCase>;

/** Query of `GET /pos/reconciliation` (owner): the open cases, oldest first. */
const ReconciliationQuery = Input({
  environment: Environment,
  limit: Type.Integer({ minimum: 1, maximum: 200 }),
  offset: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
});

const ReconciliationCases = Type.Object({
  limit: Type.Integer(),
  offset: Type.Integer(),
  total: Type.Integer({ description: "Open cases of the environment" }),
  list: Type.Array(ReconciliationCase),
});

const ReconciliationParams = Input({ transactionId: TransactionId });

/** `POST /pos/reconciliation/{transactionId}` (owner): settles an open case. */
const ReconciliationInput = Input({
  environment: Environment,
  outcome: ReconciliationOutcome,
  note: Type.Optional(Type.String({ maxLength: LONGEST_NOTE })),
});

export const ReconciliationResult = Type.Object({
  transactionId: TransactionId,
  environment: Environment,
  outcome: ReconciliationOutcome,
  settledAt: Timestamp,
  booked: Type.Optional(
    Type.Object(
      {
        transactionId: TransactionId,
        type: TransactionType,
        amount: MinorAmount,
        ...currencyUnit,
      },
      { description: "New transaction that aligns the wallet with the provider" },
    ),
  ),
});
export type ReconciliationResult = Static<typeof ReconciliationResult>;

export const reconciliationOperations = {
  list: defineOperation({
    method: "GET",
    path: "/reconciliation",
    query: ReconciliationQuery,
    answer: ReconciliationCases,
    access: "staff",
    right: "settleCases",
    refusals: [],
  }),
  settle: defineOperation({
    method: "POST",
    path: "/reconciliation/:transactionId",
    params: ReconciliationParams,
    body: ReconciliationInput,
    answer: ReconciliationResult,
    access: "staff",
    right: "settleCases",
    refusals: ["NOT_FOUND", "ALREADY_SETTLED", "WALLET_SHORT", "REFUND_NOT_ALLOWED"],
  }),
};
