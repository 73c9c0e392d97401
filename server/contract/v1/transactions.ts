import { type Static, Type } from "typebox";
import {
  currencyUnit,
  Input,
  MinorAmount,
  Timestamp,
  TransactionId,
  TransactionStatus,
} from "../common.ts";
import { CreatedAtFilter, UpdatedAtFilter } from "../created-at-filter.ts";
import { Paged, paging } from "../paging.ts";
import { FAMILIES } from "../pos/families.ts";
import { LogItem, TransactionError } from "./purchase-record.ts";

export const TRANSACTION_TYPES = ["DEBIT", "CREDIT"] as const;
export const TransactionType = Type.Enum(TRANSACTION_TYPES, {
  title: "TransactionType",
  description: "DEBIT leaves the wallet, CREDIT enters it",
});
export type TransactionType = Static<typeof TransactionType>;

/** `productType` of a record (rules#record-product-types). */
export const PRODUCT_TYPES = [
  ...FAMILIES,
  "RECHARGE_SANDBOX",
  "RECHARGE_WITH_CREDIT_CARD",
  "REFUND",
  "BULK_CHECKOUT",
] as const;
export type ProductType = (typeof PRODUCT_TYPES)[number];

/** `productType` filter of `/transactions` (rules#list-filters). */
export const PRODUCT_TYPE_FILTERS = [
  ...FAMILIES,
  "WALLET_RECHARGE",
  "REFUND",
  "BULK_CHECKOUT",
] as const;
export type ProductTypeFilter = (typeof PRODUCT_TYPE_FILTERS)[number];

/** Generic transaction (rules#record-generic-transaction). */
export const Transaction = Type.Object(
  {
    transactionId: TransactionId,
    amount: MinorAmount,
    ...currencyUnit,
    type: TransactionType,
    productType: Type.Enum(PRODUCT_TYPES),
    status: TransactionStatus,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    error: Type.Optional(TransactionError),
    log: Type.Array(LogItem),
  },
  { title: "Transaction", description: "A movement of the wallet" },
);
export type Transaction = Static<typeof Transaction>;

export const TransactionPage = Paged(Transaction);

export const TransactionQuery = Input({
  ...paging,
  createdAt: Type.Optional(CreatedAtFilter),
  productType: Type.Optional(
    Type.Enum(PRODUCT_TYPE_FILTERS, {
      description:
        "Product type; WALLET_RECHARGE finds all recharges, BULK_CHECKOUT all purchases from a file",
    }),
  ),
  status: Type.Optional(TransactionStatus),
  type: Type.Optional(TransactionType),
  updatedAt: Type.Optional(UpdatedAtFilter),
});
export type TransactionQuery = Static<typeof TransactionQuery>;
