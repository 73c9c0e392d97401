import { type Static, Type } from "typebox";
import {
  currencyUnit,
  Input,
  MinorAmount,
  Timestamp,
  TransactionId,
  TransactionStatus,
} from "../common.ts";
import { Iccid } from "./esim-purchases.ts";
import { LogItem, TransactionError } from "./purchase-record.ts";
import { TransactionType } from "./transactions.ts";

/** eSIM plan (rules#esim-plans). Remaining data has a correct and a misspelled field name. */
export const EsimPlan = Type.Object(
  {
    description: Type.String(),
    endAt: Type.String({ description: "Empty until the plan is used" }),
    iccid: Type.String(),
    initialDataGB: Type.Number({ description: "0 if unlimited" }),
    offerId: Type.String(),
    reamainingDataGB: Type.Number({ description: "Equal to remainingDataGB" }),
    remainingDataGB: Type.Number(),
    startAt: Type.String({ description: "Empty until the plan is used" }),
    status: Type.Enum(["ACTIVE", "QUEUED"]),
    unlimited: Type.Boolean(),
  },
  { title: "EsimPlan", description: "A plan on an eSIM" },
);
export type EsimPlan = Static<typeof EsimPlan>;

export const EsimPlans = Type.Object(
  {
    list: Type.Array(EsimPlan),
    total: Type.Integer(),
    firstInstalledAt: Type.String({ description: "Empty until the eSIM is installed" }),
  },
  { title: "EsimPlans", description: "Active and queued plans of an eSIM, with their usage" },
);
export type EsimPlans = Static<typeof EsimPlans>;

export const EsimParams = Input({ iccId: Iccid });

/** QR code in JSON (rules#esim-qr-code): a PNG file in Base64. */
export const QrCode = Type.Object(
  { imageBase64: Type.String({ examples: ["iVBORw0KGgoAAAANSUhEUgAAAfQAAAH0"] }) },
  { title: "QrCode", description: "A QR code as a PNG file in base64" },
);

/** eSIM refund record, with the refund's own transaction id (rules#refund-credit). */
export const EsimRefund = Type.Object(
  {
    transactionId: TransactionId,
    amount: MinorAmount,
    ...currencyUnit,
    type: TransactionType,
    productType: Type.Literal("REFUND"),
    status: TransactionStatus,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    error: Type.Optional(TransactionError),
    log: Type.Array(LogItem),
    refundedTransactionId: TransactionId,
  },
  { title: "EsimRefund", description: "The refund of an eSIM purchase" },
);
export type EsimRefund = Static<typeof EsimRefund>;
