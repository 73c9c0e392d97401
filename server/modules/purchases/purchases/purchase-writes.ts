import { type Kysely, type QueryResult, type Selectable, sql } from "kysely";
import type { FigureChannel } from "../../../contract/pos/figures.ts";
import type { Fulfilment, PurchaseExtras } from "../../../contract/v1/fulfilment.ts";
import type { Offer } from "../../../contract/v1/offers.ts";
import type { PurchaseValue } from "../../../contract/v1/purchase-record.ts";
import { transactByAccount } from "../../../db/by-account.ts";
import { checksumOfNew } from "../../../db/checksums.ts";
import { compileOnce, type Param } from "../../../db/compiled-query.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { claimEnd } from "../../../db/postgres/claims.ts";
import { CHANNEL_CODES, toTaxCode } from "../../../db/sales-channel.ts";
import { inScope } from "../../../db/scope-filters.ts";
import { sealedText } from "../../../db/sealed-text.ts";
import type { AttemptState, Doubt } from "../../../db/tables/transactions.ts";
import type { Tables } from "../../../db/tables.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { writeBehind } from "../../../db/write-behind.ts";
import { DAY } from "../../../lib/clock.ts";
import { findSupply } from "../../../providers/supply.ts";
import { StaleTransition, type TransactionRef } from "../../books/transactions/index.ts";
import { type Quote, sendUnitOf } from "../../catalog/catalog/index.ts";
import type { LineCost } from "../../catalog/prices/index.ts";
import type { Write } from "./decision.ts";
import { hasSecrets, splitSecrets } from "./delivered-secrets.ts";
import { keepOfferVersion } from "./offer-versions.ts";
import { readFulfilment, type StoredPurchase } from "./purchase-store.ts";
import { SENDING_MS } from "./retry-policy.ts";

/** Kind of the job that advances a purchase; the job's subject names the transaction. */
export const ADVANCE_JOB = "purchase.advance";

export interface NewPurchase extends TransactionRef {
  offer: Offer;
  recipient: string;
  value: PurchaseValue | undefined;
  extras: PurchaseExtras;
  quote: Quote;
  /** Undefined at a till. */
  keyId?: string;
  /** The till by default. */
  channel?: FigureChannel;
  /** Undefined at a till, where the line of the sale has them. */
  lineCost?: LineCost;
}

/**
 * Stores a purchase without its transaction, which is stored separately.
 * @param first the first attempt, if it is sent once the transaction is on the disk
 */
export async function createPurchase(
  tx: Tx,
  purchase: NewPurchase,
  first: Pick<AttemptWrite, "attempts" | "attemptState" | "nextAttemptAt"> = {},
): Promise<void> {
  const { offer, quote, channel = "TILL", lineCost } = purchase;
  const sendUnit = sendUnitOf(offer);
  const version = await keepOfferVersion(tx, purchase, offer);
  const row = {
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
    offer_version: version,
    input_json: JSON.stringify(purchase.extras),
    key_id: purchase.keyId ?? null,
    channel: CHANNEL_CODES[channel],
    shop_cost: lineCost?.cost ?? null,
    shop_rate: lineCost?.rate ?? null,
    shop_tax: lineCost?.tax ?? null,
    provider_id: findSupply(offer)?.providerId ?? null,
    product_id: findSupply(offer)?.productId ?? null,
    tax_rate: lineCost ? toTaxCode({ kind: lineCost.taxKind, percent: lineCost.taxPercent }) : null,
    attempts: first.attempts ?? 0,
    attempt_state: first.attemptState ?? "NONE",
    next_attempt_at: first.nextAttemptAt ?? null,
  };
  const checksum = checksumOfNew(tx, "purchases", row);
  await writeBehind(tx, insertPurchase(tx, { ...row, checksum }));
}

const NEW_COLUMNS = [
  ["account_id", "environment", "transaction_id", "offer_id", "brand", "brand_name", "country"],
  ["recipient", "cost_base", "cost_fee", "price_base", "price_fee", "price_currency"],
  ["price_currency_divisor", "send", "send_currency", "send_currency_divisor", "value_type"],
  ["value", "offer_version", "input_json", "key_id", "channel"],
  ["shop_cost", "shop_rate", "shop_tax", "tax_rate", "provider_id", "product_id"],
  ["attempts", "attempt_state", "next_attempt_at", "checksum"],
] as const;

type NewRow = Pick<Selectable<Tables["purchases"]>, (typeof NEW_COLUMNS)[number][number]>;

const insertPurchase = compileOnce<NewRow, unknown>((db, param) =>
  db
    .insertInto("purchases")
    .columns(NEW_COLUMNS.flat())
    .expression(sql`select ${sql.join(NEW_COLUMNS.flat().map((column) => param(column)))}`),
);

type AttemptWrite = NonNullable<Write["attempt"]>;

interface AttemptChange extends AttemptWrite {
  /** Present with a fulfilment. */
  finishedAt?: number;
  /** The process that sends the attempt. If absent, no process sends it any longer. */
  sender?: string | undefined;
}

/** @throws StaleTransition if the state differs from `seen` */
export async function updateAttempt(
  tx: Tx,
  seen: StoredPurchase,
  change: AttemptChange,
): Promise<void> {
  const { transaction, attempts, attemptState } = seen;
  const { accountId, environment, transactionId } = transaction;
  const next = { ...seen, ...change };
  const update = {
    accountId,
    environment,
    transactionId,
    attempts,
    attemptState,
    attemptsNow: next.attempts,
    stateNow: next.attemptState,
    doubt: next.doubt,
    nextAttemptAt: next.nextAttemptAt ?? null,
    unknownFor_ms: next.unknownFor_ms,
  };
  const { fulfilment, finishedAt = null, sender } = change;
  if (fulfilment) {
    await writeMove(tx, writeFulfilment(tx, update, fulfilment, finishedAt), seen);
  } else if (sender !== undefined) {
    await writeMove(tx, claimAttempt(tx, { ...update, sender }), seen);
  } else await writeMove(tx, moveAttempt(tx, update), seen);
}

/**
 * Stores the time of the next attempt, with the same sender.
 * @throws StaleTransition if the attempts have changed
 */
export async function updateNextAttempt(
  tx: Tx,
  seen: StoredPurchase,
  change: Pick<AttemptWrite, "nextAttemptAt" | "unknownFor_ms">,
): Promise<void> {
  const { attempts, attemptState } = seen;
  const { accountId, environment, transactionId } = seen.transaction;
  const { nextAttemptAt = null, unknownFor_ms } = { ...seen, ...change };
  const ref = { accountId, environment, transactionId };
  const update = { ...ref, attempts, attemptState, nextAttemptAt, unknownFor_ms };
  await writeMove(tx, moveNextAttempt(tx, update), seen);
}

async function writeMove(
  tx: Tx,
  write: Promise<QueryResult<unknown>>,
  { transaction }: StoredPurchase,
): Promise<void> {
  await writeBehind(tx, write, ({ numAffectedRows }) => {
    if (numAffectedRows === 1n) return;
    throw new StaleTransition(`the attempts of ${transaction.transactionId} have moved on`);
  });
}

interface NextAttempt extends TransactionRef, Pick<StoredPurchase, "attempts" | "attemptState"> {
  nextAttemptAt: number | null;
  unknownFor_ms: number;
}

interface AttemptUpdate extends NextAttempt {
  attemptsNow: number;
  stateNow: AttemptState;
  doubt: Doubt;
}

const moveAttempt = compileOnce<AttemptUpdate, unknown>(buildEndOfSending);

const moveNextAttempt = compileOnce<NextAttempt, unknown>(buildNextAttempt);

const claimAttempt = compileOnce<AttemptUpdate & { sender: string }, unknown>((db, param) =>
  buildAttemptUpdate(db, param).set({ sent_by: param("sender"), sent_until: claimEnd(SENDING_MS) }),
);

/** Delivered details are encrypted in a separate column (rules#redemption-encrypted). */
function writeFulfilment(tx: Tx, update: AttemptUpdate, fulfilment: Fulfilment, at: number | null) {
  if (!hasSecrets(fulfilment)) {
    return writePlain(tx, { ...update, fulfilmentJson: JSON.stringify(fulfilment) });
  }
  const { rest, secrets } = splitSecrets(fulfilment);
  return writeSealed(tx, { ...update, fulfilmentJson: JSON.stringify(rest), secrets, at });
}

type PlainFulfilment = AttemptUpdate & { fulfilmentJson: string };

const writePlain = compileOnce<PlainFulfilment, unknown>((db, param) =>
  buildEndOfSending(db, param).set({ fulfilment_json: param("fulfilmentJson") }),
);

const writeSealed = compileOnce<PlainFulfilment & { secrets: string; at: number | null }, unknown>(
  (db, param) =>
    buildEndOfSending(db, param).set({
      fulfilment_json: param("fulfilmentJson"),
      details_sealed: sealedText(param("secrets")),
      details_state: "SEALED",
      details_at: param("at"),
    }),
);

function buildEndOfSending(db: Kysely<Tables>, param: Param<AttemptUpdate>) {
  return buildAttemptUpdate(db, param).set({ sent_by: null, sent_until: null });
}

function buildAttemptUpdate(db: Kysely<Tables>, param: Param<AttemptUpdate>) {
  return buildNextAttempt(db, param).set({
    attempts: param("attemptsNow"),
    attempt_state: param("stateNow"),
    doubt: param("doubt"),
  });
}

function buildNextAttempt(db: Kysely<Tables>, param: Param<NextAttempt>) {
  return db
    .updateTable("purchases")
    .set({ next_attempt_at: param("nextAttemptAt"), unknown_for_ms: param("unknownFor_ms") })
    .where("account_id", "=", param("accountId"))
    .where("environment", "=", param("environment"))
    .where("transaction_id", "=", param("transactionId"))
    .where("attempts", "=", param("attempts"))
    .where("attempt_state", "=", param("attemptState"));
}

const ROWS_AT_ONCE = 200;

interface DetailsDeps {
  db: Db;
  transactor: Transactor;
}

/**
 * Encrypts details that an earlier version stored in clear text.
 * @returns whether there may be more such details
 */
export async function sealDetails({ db, transactor }: DetailsDeps): Promise<boolean> {
  const rows = await db
    .selectFrom("purchases")
    .select(["account_id", "environment", "transaction_id", "fulfilment_json"])
    .where("details_state", "=", "CLEAR")
    .limit(ROWS_AT_ONCE)
    .execute();
  if (rows.length === 0) return false;
  await transactByAccount(transactor, rows, async (tx, own) => {
    for (const { fulfilment_json, ...key } of own) {
      const { rest, secrets } = splitSecrets(
        readFulfilment(key.transaction_id, fulfilment_json ?? ""),
      );
      await tx
        .updateTable("purchases")
        .set({
          fulfilment_json: JSON.stringify(rest),
          details_sealed: sealedText(secrets),
          details_state: "SEALED",
        })
        .where(inScope(key))
        .where("transaction_id", "=", key.transaction_id)
        .where("details_state", "=", "CLEAR")
        .execute();
    }
  });
  return rows.length === ROWS_AT_ONCE;
}

/**
 * Erases details whose retention period has expired (rules#redemption-erased).
 * @returns whether there may be more such details
 */
export async function eraseDetails({ db, transactor }: DetailsDeps, now: number): Promise<boolean> {
  const accounts = await db
    .selectFrom("accounts")
    .select(["account_id", "keep_details_days"])
    .where("keep_details_days", ">", 0)
    .execute();
  for (const { account_id, keep_details_days } of accounts) {
    const rows = await db
      .selectFrom("purchases")
      .select(["account_id", "environment", "transaction_id"])
      .where("details_state", "=", "SEALED")
      .where("account_id", "=", account_id)
      .where("details_at", "<", now - keep_details_days * DAY)
      .limit(ROWS_AT_ONCE)
      .execute();
    const answers = await db
      .selectFrom("purchases")
      .select(["account_id", "environment", "transaction_id"])
      .where("answer_sealed", "is not", null)
      .where("account_id", "=", account_id)
      .where("answer_at", "<", now - keep_details_days * DAY)
      .limit(ROWS_AT_ONCE)
      .execute();
    if (rows.length + answers.length === 0) continue;
    await transactor.transact(account_id, async (tx) => {
      await erase(tx, rows);
      await eraseAnswers(tx, answers);
    });
    return true;
  }
  return false;
}

/** Erases the provider's answers, which contain the same details (rules#redemption-erased). */
async function eraseAnswers(tx: Tx, rows: readonly Key[]): Promise<void> {
  for (const key of rows) {
    await tx
      .updateTable("purchases")
      .set({ answer_sealed: null })
      .where(inScope(key))
      .where("transaction_id", "=", key.transaction_id)
      .execute();
  }
}

type Key = Pick<Selectable<Tables["purchases"]>, "account_id" | "environment" | "transaction_id">;

async function erase(tx: Tx, rows: readonly Key[]): Promise<void> {
  for (const key of rows) {
    await tx
      .updateTable("purchases")
      .set({ details_sealed: null, details_state: "ERASED" })
      .where(inScope(key))
      .where("transaction_id", "=", key.transaction_id)
      .where("details_state", "=", "SEALED")
      .execute();
  }
}
