import { type Selectable, sql } from "kysely";
import { Type } from "typebox";
import type { TransactionStatus } from "../../../contract/common.ts";
import { FAMILIES } from "../../../contract/pos/families.ts";
import { Deviation } from "../../../contract/pos/provider-answers.ts";
import { Fulfilment, PurchaseExtras } from "../../../contract/v1/fulfilment.ts";
import type { Offer, OfferOf, ProductFamily } from "../../../contract/v1/offers.ts";
import type { PurchaseValue } from "../../../contract/v1/purchase-record.ts";
import type { Scope } from "../../../db/changes.ts";
import { DamagedRow, intactFlag } from "../../../db/checksums.ts";
import { compileOnce } from "../../../db/compiled-query.ts";
import type { Db, Tx } from "../../../db/database.ts";
import type { ListTotals } from "../../../db/list-totals.ts";
import { inSameScope, inScope } from "../../../db/scope-filters.ts";
import { openedText } from "../../../db/sealed-text.ts";
import { readColumn } from "../../../db/stored-json.ts";
import type { AttemptState, Doubt } from "../../../db/tables/transactions.ts";
import type { Tables } from "../../../db/tables.ts";
import type { Order } from "../../../providers/provider.ts";
import { FIRST_PROVIDER, type Supply, toProviderColumn } from "../../../providers/supply.ts";
import {
  findTransactions,
  type LogEntry,
  listTransactions,
  logOf,
  type Page,
  type StoredTransaction,
  TRANSACTION_COLUMNS,
  type TransactionFilter,
  type TransactionRef,
  type TransactionRow,
  toTransaction,
} from "../../books/transactions/index.ts";
import type { Quote } from "../../catalog/catalog/index.ts";
import { joinSecrets } from "./delivered-secrets.ts";
import { readOfferVersions } from "./offer-versions.ts";

const Deviations = Type.Array(Deviation);

/** Amounts in minor units, times in milliseconds. */
export interface StoredPurchase {
  transaction: StoredTransaction;
  offer: Offer;
  recipient: string;
  value: PurchaseValue | undefined;
  extras: PurchaseExtras;
  quote: Quote;
  fulfilment: Fulfilment | undefined;
  /** Reason why the delivered details are empty: erased, or the encryption key is missing. */
  withheld: "ERASED" | "UNREADABLE" | undefined;
  /** Undefined if no refund was requested. */
  refundStatus: TransactionStatus | undefined;
  attempts: number;
  attemptState: AttemptState;
  nextAttemptAt: number | undefined;
  unknownFor_ms: number;
  /** Reason why the provider may have the order. */
  doubt: Doubt;
  deviations: readonly Deviation[];
  /** Undefined for the first provider. */
  supply: Supply | undefined;
  /** Providers of the attempts before it moved to the present one (rules#purchase-moves). */
  refusedBy: readonly string[];
  /** Whether it is from a backup, after which it may have moved to another provider. */
  mayHaveMoved: boolean;
}

/** Returns the order with the provider's own id of the offer. */
export function orderOf(purchase: StoredPurchase): Order {
  const { transaction, recipient, extras, quote, supply } = purchase;
  const offer = supply ? { ...purchase.offer, offerId: supply.productId } : purchase.offer;
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

export type PurchaseOf<Family extends ProductFamily> = StoredPurchase & { offer: OfferOf<Family> };

export function isOf<Family extends ProductFamily>(
  family: Family,
  purchase: StoredPurchase | undefined,
): purchase is PurchaseOf<Family> {
  return purchase?.offer.productType === family;
}

/** @throws JsonMisfit */
export function readFulfilment(transactionId: string, text: string): Fulfilment {
  const where = { table: "purchases", column: "fulfilment_json", row: transactionId } as const;
  return readColumn(Fulfilment, text, where);
}

/** @throws JsonMisfit */
export function readDeviations(transactionId: string, text: string | null): Deviation[] {
  const where = { table: "purchases", column: "deviations_json", row: transactionId } as const;
  return text === null ? [] : readColumn(Deviations, text, where);
}

function familyOf({ productType, transactionId }: StoredTransaction): ProductFamily {
  const family = FAMILIES.find((one) => one === productType);
  if (!family) throw new Error(`the transaction ${transactionId} is no purchase`);
  return family;
}

/** Omits erased or unreadable details. */
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

/** @throws DamagedRow if a disk error has changed the row */
export async function findPurchase(
  db: Db | Tx,
  ref: TransactionRef,
): Promise<StoredPurchase | undefined> {
  const found = await findUnlogged(db, ref);
  return found && withLog(found, await logOf(db, ref));
}

function withLog({ transaction, ...purchase }: StoredPurchase, log: LogEntry[]): StoredPurchase {
  return { ...purchase, transaction: { ...transaction, log } };
}

/**
 * Finds a purchase without its log, which decisions need only if the purchase dates from the
 * future.
 * @throws DamagedRow if a disk error has changed the row
 */
export async function findUnlogged(
  db: Db | Tx,
  ref: TransactionRef,
): Promise<StoredPurchase | undefined> {
  const { accountId, environment, transactionId } = ref;
  const [row] = (await selectPurchase(db, { accountId, environment, transactionId })).rows;
  if (!row) return undefined;
  if (row.intact === 0) throw new DamagedRow("purchases", transactionId);
  const transaction = toTransaction(row, []);
  const refunds = await refundStatusesOf(db, ref, [transaction]);
  const offers = await readOffers(db, ref, [{ transaction, row }]);
  return toPurchase(transaction, row, { refundStatus: refunds.get(transactionId), offers });
}

function readOffers(
  db: Db | Tx,
  scope: Scope,
  sold: readonly { transaction: StoredTransaction; row: PurchaseRow }[],
): Promise<ReadonlyMap<string, Offer>> {
  const versions = sold.map(({ transaction, row }) => ({
    family: familyOf(transaction),
    digest: row.offer_version,
  }));
  return readOfferVersions(db, scope, versions);
}

const selectPurchase = compileOnce<TransactionRef, TransactionRow & PurchaseRow & Intact>(
  (db, param) =>
    db
      .selectFrom("transactions")
      .innerJoin("purchases", inSameScope("purchases", "transactions", "transaction_id"))
      .select(TRANSACTION_COLUMNS.map((name) => `transactions.${name}` as const))
      .select(PURCHASE_COLUMNS)
      .select(openedText("purchases.details_sealed").as("details"))
      .select(intactFlag("purchases").as("intact"))
      .where("transactions.account_id", "=", param("accountId"))
      .where("transactions.environment", "=", param("environment"))
      .where("transactions.transaction_id", "=", param("transactionId")),
);

interface Intact {
  /** 0 if a disk error has changed the row. */
  intact: number;
}

export async function listPurchases(
  db: Db | Tx,
  scope: Scope,
  filter: TransactionFilter,
  page: Page,
  totals: ListTotals,
): Promise<{ total: number; list: StoredPurchase[] }> {
  const { total, list } = await listTransactions(db, scope, filter, page, totals);
  return { total, list: await withPurchases(db, scope, list) };
}

/** Returns purchases in no particular order. Omits unknown ids. */
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
  const sold = transactions.flatMap((transaction) => {
    const row = byId.get(transaction.transactionId);
    return row ? [{ transaction, row }] : [];
  });
  const offers = await readOffers(db, scope, sold);
  return sold.map(({ transaction, row }) => {
    const refundStatus = refunds.get(transaction.transactionId);
    return toPurchase(transaction, row, { refundStatus, offers });
  });
}

const PURCHASE_COLUMNS = [
  "recipient",
  "cost_base",
  "cost_fee",
  "price_base",
  "price_fee",
  "send",
  "value_type",
  "value",
  "offer_version",
  "input_json",
  "fulfilment_json",
  "details_state",
  "attempts",
  "attempt_state",
  "next_attempt_at",
  "unknown_for_ms",
  "doubt",
  "deviations_json",
  "provider_id",
  "product_id",
  "refused_by",
  "may_have_moved",
] as const;

type PurchaseRow = Pick<Selectable<Tables["purchases"]>, (typeof PURCHASE_COLUMNS)[number]> & {
  details: string | null;
};

/** @throws JsonMisfit */
export function readExtras(transactionId: string, text: string): PurchaseExtras {
  const where = { table: "purchases", column: "input_json", row: transactionId } as const;
  return readColumn(PurchaseExtras, text, where);
}

function toPurchase(
  transaction: StoredTransaction,
  row: PurchaseRow,
  read: {
    refundStatus: TransactionStatus | undefined;
    offers: ReadonlyMap<string, Offer>;
  },
): StoredPurchase {
  const { refundStatus, offers } = read;
  const offer = offers.get(row.offer_version);
  if (!offer) throw new DamagedRow("purchases", transaction.transactionId);
  return {
    transaction,
    offer,
    recipient: row.recipient,
    value:
      row.value_type === null || row.value === null
        ? undefined
        : { type: row.value_type as PurchaseValue["type"], value: row.value },
    extras: readExtras(transaction.transactionId, row.input_json),
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
    doubt: row.doubt,
    deviations: readDeviations(transaction.transactionId, row.deviations_json),
    supply:
      row.provider_id === null
        ? undefined
        : { providerId: row.provider_id, productId: row.product_id ?? offer.offerId },
    refusedBy: row.refused_by?.split(",") ?? [],
    mayHaveMoved: row.may_have_moved === 1,
  };
}

/**
 * Returns refund statuses by purchase id. A failed refund counts only if there is no other refund.
 */
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

/**
 * Marks the unfinished purchases of a restored copy. A purchase that is unsent in the copy may have
 * been sent later. The engine queries the status before it sends a marked purchase. In a shop with
 * several providers, it may also have moved to another one.
 * @returns number of marked purchases
 */
export async function doubtUnfinished(tx: Tx): Promise<number> {
  const result = await tx
    .updateTable("purchases as p")
    .set(({ ref }) => ({
      attempt_state: "WORKING",
      doubt: sql<Doubt>`case ${ref("p.doubt")} when 'NONE' then 'LOST' else ${ref("p.doubt")} end`,
      may_have_moved: sql<1 | null>`case when exists (select 1 from upstreams u
        where u.account_id = ${ref("p.account_id")} and u.environment = ${ref("p.environment")}
        and u.provider_id <> ${FIRST_PROVIDER}) then 1 else ${ref("p.may_have_moved")} end`,
    }))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("transactions as t")
          .select("t.transaction_id")
          .whereRef("t.account_id", "=", "p.account_id")
          .whereRef("t.environment", "=", "p.environment")
          .whereRef("t.transaction_id", "=", "p.transaction_id")
          .where("t.finished_at", "is", null),
      ),
    )
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** Lists purchases that wait for an answer or an attempt after `latest`, oldest first. */
export async function listInterrupted(db: Db | Tx, latest: number): Promise<TransactionRef[]> {
  const rows = await unfinishedPurchases(db)
    .select(["t.account_id", "t.environment", "t.transaction_id"])
    .where(({ or, eb }) =>
      or([
        eb("p.attempt_state", "in", ["SENT", "WORKING"]),
        eb("p.next_attempt_at", ">", latest),
        eb("t.status", "=", "PENDING"),
      ]),
    )
    .orderBy("t.created_at")
    .execute();
  return rows.map((row) => ({
    accountId: row.account_id,
    environment: row.environment,
    transactionId: row.transaction_id,
  }));
}

/** Counts unfinished purchases of a provider, also those that wait for their first attempt. */
export async function countUnfinished(
  db: Db | Tx,
  scope: Scope & { providerId: string },
): Promise<number> {
  const { count } = await unfinishedPurchases(db)
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where(inScope(scope, "t"))
    .where("p.provider_id", "is not distinct from", toProviderColumn(scope.providerId))
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Lists unfinished purchases that the provider may deliver: an attempt has no outcome, or an earlier
 * attempt is in doubt. Oldest first.
 */
export async function listInDoubt(
  db: Db | Tx,
  scope: Scope & { providerId: string },
  limit: number,
): Promise<string[]> {
  const rows = await unfinishedPurchases(db)
    .select("t.transaction_id")
    .where(inScope(scope, "t"))
    .where("p.provider_id", "is not distinct from", toProviderColumn(scope.providerId))
    .where(({ or, eb }) =>
      or([eb("p.attempt_state", "in", ["SENT", "WORKING"]), eb("p.doubt", "<>", "NONE")]),
    )
    .orderBy("t.created_at")
    .limit(limit)
    .execute();
  return rows.map((row) => row.transaction_id);
}

/** Number of a shop's newest delivered purchases among which those of a provider are searched. */
const SEARCHED = 10_000;

/** Lists the newest delivered purchases of a provider among the shop's newest ones. */
export async function listDelivered(
  db: Db | Tx,
  scope: Scope & { providerId: string },
  limit: number,
): Promise<string[]> {
  const newest = db
    .selectFrom("transactions")
    .select(["account_id", "environment", "transaction_id", "created_at"])
    .where(inScope(scope))
    // A literal: with a parameter, the database could not use the partial index.
    .where(sql<boolean>`training = 0`)
    .where("status", "=", "DONE")
    .orderBy("created_at", "desc")
    .orderBy("transaction_id")
    .limit(SEARCHED);
  const rows = await db
    .selectFrom(newest.as("t"))
    .innerJoin("purchases as p", inSameScope("p", "t", "transaction_id"))
    .select("t.transaction_id")
    .where("p.provider_id", "is not distinct from", toProviderColumn(scope.providerId))
    .orderBy("t.created_at", "desc")
    .orderBy("t.transaction_id")
    .limit(limit)
    .execute();
  return rows.map((row) => row.transaction_id);
}

function unfinishedPurchases(db: Db | Tx) {
  return db
    .selectFrom("transactions as t")
    .innerJoin("purchases as p", inSameScope("p", "t", "transaction_id"))
    .where("t.finished_at", "is", null);
}
