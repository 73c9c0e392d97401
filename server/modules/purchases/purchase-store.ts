import { type Selectable, sql } from "kysely";
import type { TransactionStatus } from "../../contract/common.ts";
import { FAMILIES } from "../../contract/pos/families.ts";
import { Fulfilment, PurchaseExtras } from "../../contract/v1/fulfilment.ts";
import {
  OFFER_SCHEMAS,
  type Offer,
  type OfferOf,
  type ProductFamily,
} from "../../contract/v1/offers.ts";
import type { PurchaseValue } from "../../contract/v1/purchase-record.ts";
import type { Scope } from "../../db/changes.ts";
import { DamagedRow, isIntact } from "../../db/checksums.ts";
import { compileOnce } from "../../db/compiled-query.ts";
import type { Db, Tx } from "../../db/database.ts";
import { inSameScope, inScope } from "../../db/scope-filters.ts";
import { openedText, sealedText } from "../../db/sealed-text.ts";
import { readColumn } from "../../db/stored-json.ts";
import type { AttemptState } from "../../db/tables/transactions.ts";
import type { Tables } from "../../db/tables.ts";
import type { Order } from "../../suppliers/supplier.ts";
import { type Quote, sendUnitOf } from "../catalog/index.ts";
import {
  findTransactions,
  listTransactions,
  logOf,
  type Page,
  StaleTransition,
  type StoredTransaction,
  type TransactionFilter,
  type TransactionRef,
  type TransactionRow,
  toTransaction,
} from "../transactions/index.ts";
import { hasSecrets, joinSecrets, splitSecrets } from "./delivered-secrets.ts";

export interface NewPurchase extends TransactionRef {
  offer: Offer;
  recipient: string;
  value: PurchaseValue | undefined;
  extras: PurchaseExtras;
  quote: Quote;
}

/** A purchase with its transaction; amounts in minor units, instants in milliseconds. */
export interface StoredPurchase {
  transaction: StoredTransaction;
  offer: Offer;
  recipient: string;
  value: PurchaseValue | undefined;
  extras: PurchaseExtras;
  quote: Quote;
  fulfilment: Fulfilment | undefined;
  /** Why the delivered details are empty: they were erased, or the key is missing. */
  withheld: "ERASED" | "UNREADABLE" | undefined;
  /** The state of an eSIM's refund, if one was asked for. */
  refundStatus: TransactionStatus | undefined;
  attempts: number;
  attemptState: AttemptState;
  nextAttemptAt: number | undefined;
  /** Running time for which the last attempt has been asked about without an outcome. */
  unknownFor_ms: number;
}

/** What the provider gets of a purchase. */
export function orderOf({ transaction, offer, recipient, extras, quote }: StoredPurchase): Order {
  const {
    accountId,
    environment,
    transactionId,
    amount: cost,
    createdAt: acceptedAt,
  } = transaction;
  const { send } = quote;
  return {
    accountId,
    environment,
    transactionId,
    offer,
    recipient,
    extras,
    send,
    cost,
    acceptedAt,
  };
}

/** A purchase of one product family. */
export type PurchaseOf<Family extends ProductFamily> = StoredPurchase & { offer: OfferOf<Family> };

export function isOf<Family extends ProductFamily>(
  family: Family,
  purchase: StoredPurchase | undefined,
): purchase is PurchaseOf<Family> {
  return purchase?.offer.productType === family;
}

export async function createPurchase(tx: Tx, purchase: NewPurchase): Promise<void> {
  const { offer, quote } = purchase;
  const sendUnit = sendUnitOf(offer);
  await insertPurchase(tx, {
    account_id: purchase.accountId,
    environment: purchase.environment,
    transaction_id: purchase.transactionId,
    offer_id: offer.offerId,
    brand: offer.brand,
    brand_name: offer.brandName,
    country: offer.country,
    recipient: purchase.recipient,
    cost_base: quote.costBase,
    cost_fee: quote.costFee,
    price_base: quote.priceBase,
    price_fee: quote.priceFee,
    price_currency: offer.price.currency,
    price_currency_divisor: offer.price.currencyDivisor,
    send: quote.send,
    send_currency: sendUnit.currency,
    send_currency_divisor: sendUnit.currencyDivisor,
    value_type: purchase.value?.type ?? null,
    value: purchase.value?.value ?? null,
    offer_json: JSON.stringify(offer),
    input_json: JSON.stringify(purchase.extras),
  });
}

const NEW_COLUMNS = [
  ["account_id", "environment", "transaction_id", "offer_id", "brand", "brand_name", "country"],
  ["recipient", "cost_base", "cost_fee", "price_base", "price_fee", "price_currency"],
  ["price_currency_divisor", "send", "send_currency", "send_currency_divisor", "value_type"],
  ["value", "offer_json", "input_json"],
] as const;

type NewRow = Pick<Selectable<Tables["purchases"]>, (typeof NEW_COLUMNS)[number][number]>;

const insertPurchase = compileOnce<NewRow, unknown>((db, param) =>
  db
    .insertInto("purchases")
    .columns([...NEW_COLUMNS.flat(), "attempts", "attempt_state"])
    .expression(
      sql`select ${sql.join([...NEW_COLUMNS.flat().map((column) => param(column)), 0, "NONE"])}`,
    ),
);

/** The state of the attempts; written with the transition they belong to. */
export interface AttemptChange {
  attempts?: number;
  attemptState?: AttemptState;
  nextAttemptAt?: number | null;
  unknownFor_ms?: number;
  fulfilment?: Fulfilment;
  /** Written with the fulfilment: when it was delivered. */
  finishedAt?: number;
}

/** Delivered details are encrypted, apart from the rest (rules#redemption-encrypted). */
function toColumns(fulfilment: Fulfilment, at: number | null) {
  if (!hasSecrets(fulfilment)) return { fulfilment_json: JSON.stringify(fulfilment) };
  const { rest, secrets } = splitSecrets(fulfilment);
  return {
    fulfilment_json: JSON.stringify(rest),
    details_sealed: sealedText(secrets),
    details_state: "SEALED" as const,
    details_at: at,
  };
}

/** @throws JsonMisfit */
export function readFulfilment(transactionId: string, text: string): Fulfilment {
  const where = { table: "purchases", column: "fulfilment_json", row: transactionId } as const;
  return readColumn(Fulfilment, text, where);
}

/** The offer as it was sold. */
function readOffer({ productType, transactionId }: StoredTransaction, text: string): Offer {
  const family = FAMILIES.find((one) => one === productType);
  if (!family) throw new Error(`the transaction ${transactionId} is no purchase`);
  const where = { table: "purchases", column: "offer_json", row: transactionId } as const;
  return readColumn(OFFER_SCHEMAS[family].offer, text, where);
}

/** A fulfilment as it can be read by now. */
function toFulfilment(
  transactionId: string,
  row: PurchaseRow,
): Pick<StoredPurchase, "fulfilment" | "withheld"> {
  if (row.fulfilment_json === null) return { fulfilment: undefined, withheld: undefined };
  const fulfilment = readFulfilment(transactionId, row.fulfilment_json);
  if (row.details_state === "ERASED") return { fulfilment, withheld: "ERASED" };
  if (row.details_state !== "SEALED") return { fulfilment, withheld: undefined };
  if (row.details === null) return { fulfilment, withheld: "UNREADABLE" };
  return {
    fulfilment: joinSecrets(fulfilment, row.details, transactionId),
    withheld: undefined,
  };
}

/**
 * Moves the attempts on from where `seen` found them.
 * @throws StaleTransition when they have moved meanwhile.
 */
export async function updateAttempt(
  tx: Tx,
  seen: StoredPurchase,
  change: AttemptChange,
): Promise<void> {
  const { transaction } = seen;
  const result = await tx
    .updateTable("purchases")
    .set({
      ...(change.attempts !== undefined && { attempts: change.attempts }),
      ...(change.attemptState && { attempt_state: change.attemptState }),
      ...(change.nextAttemptAt !== undefined && { next_attempt_at: change.nextAttemptAt }),
      ...(change.unknownFor_ms !== undefined && { unknown_for_ms: change.unknownFor_ms }),
      ...(change.fulfilment && toColumns(change.fulfilment, change.finishedAt ?? null)),
    })
    .where(inScope(transaction))
    .where("transaction_id", "=", transaction.transactionId)
    .where("attempts", "=", seen.attempts)
    .where("attempt_state", "=", seen.attemptState)
    .executeTakeFirst();
  if (result.numUpdatedRows !== 1n) {
    throw new StaleTransition(`the attempts of ${transaction.transactionId} have moved on`);
  }
}

/** @throws DamagedRow when a fault of the disk has changed it */
export async function findPurchase(
  db: Db | Tx,
  ref: TransactionRef,
): Promise<StoredPurchase | undefined> {
  const { accountId, environment, transactionId } = ref;
  const [row] = (await selectPurchase(db, { accountId, environment, transactionId })).rows;
  if (!row) return undefined;
  if (row.intact === 0) throw new DamagedRow("purchases", transactionId);
  const transaction = toTransaction(row, await logOf(db, ref));
  const refunds = await refundStatusesOf(db, ref, [transaction]);
  return toPurchase(transaction, row, refunds.get(transactionId));
}

const selectPurchase = compileOnce<TransactionRef, TransactionRow & PurchaseRow & Intact>(
  (db, param) =>
    db
      .selectFrom("transactions")
      .innerJoin("purchases", inSameScope("purchases", "transactions", "transaction_id"))
      .selectAll("transactions")
      .select(PURCHASE_COLUMNS)
      .select(openedText("purchases.details_sealed").as("details"))
      .select(sql<number>`${sql.raw(isIntact("purchases"))}`.as("intact"))
      .where("transactions.account_id", "=", param("accountId"))
      .where("transactions.environment", "=", param("environment"))
      .where("transactions.transaction_id", "=", param("transactionId")),
);

interface Intact {
  /** 0 where the row is not as it was written. */
  intact: number;
}

/** Purchases of one family, newest first, then by id; `total` is exact. */
export async function listPurchases(
  db: Db | Tx,
  scope: Scope,
  filter: TransactionFilter,
  page: Page,
): Promise<{ total: number; list: StoredPurchase[] }> {
  const { total, list } = await listTransactions(db, scope, filter, page);
  return { total, list: await withPurchases(db, scope, list) };
}

/** The purchases of these transaction ids, in no order; unknown ids are left out. */
export async function findPurchases(
  db: Db | Tx,
  scope: Scope,
  transactionIds: readonly string[],
): Promise<StoredPurchase[]> {
  return withPurchases(db, scope, await findTransactions(db, scope, transactionIds));
}

async function withPurchases(
  db: Db | Tx,
  scope: Scope,
  transactions: StoredTransaction[],
): Promise<StoredPurchase[]> {
  if (transactions.length === 0) return [];
  const rows = await db
    .selectFrom("purchases")
    .select("transaction_id")
    .select(PURCHASE_COLUMNS)
    .select(openedText("details_sealed").as("details"))
    .where(inScope(scope))
    .where(
      "transaction_id",
      "in",
      transactions.map((transaction) => transaction.transactionId),
    )
    .execute();
  const byId = new Map(rows.map((row) => [row.transaction_id, row]));
  const refunds = await refundStatusesOf(db, scope, transactions);
  return transactions.flatMap((transaction) => {
    const { transactionId } = transaction;
    const row = byId.get(transactionId);
    return row ? toPurchase(transaction, row, refunds.get(transactionId)) : [];
  });
}

/** What a purchase has besides its transaction. */
const PURCHASE_COLUMNS = [
  "recipient",
  "cost_base",
  "cost_fee",
  "price_base",
  "price_fee",
  "send",
  "value_type",
  "value",
  "offer_json",
  "input_json",
  "fulfilment_json",
  "details_state",
  "attempts",
  "attempt_state",
  "next_attempt_at",
  "unknown_for_ms",
] as const;

type PurchaseRow = Pick<Selectable<Tables["purchases"]>, (typeof PURCHASE_COLUMNS)[number]> & {
  /** The delivered details, opened. */
  details: string | null;
};

function toPurchase(
  transaction: StoredTransaction,
  row: PurchaseRow,
  refundStatus: TransactionStatus | undefined,
): StoredPurchase {
  return {
    transaction,
    offer: readOffer(transaction, row.offer_json),
    recipient: row.recipient,
    value:
      row.value_type === null || row.value === null
        ? undefined
        : { type: row.value_type as PurchaseValue["type"], value: row.value },
    extras: readColumn(PurchaseExtras, row.input_json, {
      table: "purchases",
      column: "input_json",
      row: transaction.transactionId,
    }),
    quote: {
      costBase: row.cost_base,
      costFee: row.cost_fee,
      priceBase: row.price_base,
      priceFee: row.price_fee,
      send: row.send,
    },
    ...toFulfilment(transaction.transactionId, row),
    refundStatus,
    attempts: row.attempts,
    attemptState: row.attempt_state,
    nextAttemptAt: row.next_attempt_at ?? undefined,
    unknownFor_ms: row.unknown_for_ms,
  };
}

/** How refunds stand, by the id of the purchase: the one that did not fail counts before others. */
async function refundStatusesOf(
  db: Db | Tx,
  scope: Scope,
  transactions: StoredTransaction[],
): Promise<Map<string, TransactionStatus>> {
  const esims = transactions.filter(({ productType }) => productType === "ESIM");
  if (esims.length === 0) return new Map();
  const rows = await db
    .selectFrom("refunds as r")
    .innerJoin("transactions as t", inSameScope("t", "r", "transaction_id"))
    .select(["r.refunded_transaction_id", "t.status"])
    .where(inScope(scope, "r"))
    .where(
      "r.refunded_transaction_id",
      "in",
      esims.map(({ transactionId }) => transactionId),
    )
    .orderBy("r.failed", "desc")
    .execute();
  return new Map(rows.map((row) => [row.refunded_transaction_id, row.status]));
}
