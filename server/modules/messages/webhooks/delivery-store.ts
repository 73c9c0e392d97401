import { createHash } from "node:crypto";
import { type RawBuilder, type Selectable, sql } from "kysely";
import { ENVIRONMENTS, type Environment } from "../../../contract/common.ts";
import type { DeliveryState, WebhookKind } from "../../../contract/pos/webhooks.ts";
import { transactByAccount } from "../../../db/by-account.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { withoutIndex } from "../../../db/engine-words.ts";
import type { ListTotals } from "../../../db/list-totals.ts";
import { countRows, inScope } from "../../../db/scope-filters.ts";
import { openedText, sealedText } from "../../../db/sealed-text.ts";
import type { Tables } from "../../../db/tables.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { type EndpointRef, toRef } from "./endpoint-store.ts";

const PRUNED_AT_ONCE = 500;

/**
 * Deletes a batch of old deliveries with their attempts, oldest first.
 * @param after end of the previous batch; 0 for the first batch
 * @returns end of this batch; undefined if no old delivery remains
 */
export async function pruneDeliveries(
  { db, transactor }: { db: Db; transactor: Transactor },
  { before, after }: { before: number; after: number },
): Promise<number | undefined> {
  const rows = await db
    .selectFrom("webhook_deliveries")
    .select(["sequence", "account_id", "environment", "delivery_id", "state", "created_at"])
    .where("sequence", ">", after)
    .orderBy("sequence")
    .limit(PRUNED_AT_ONCE)
    .execute();
  const young = rows.findIndex((row) => row.created_at >= before);
  const old = young === -1 ? rows : rows.slice(0, young);
  const over = old.filter(({ state }) => state !== "PENDING");
  await transactByAccount(transactor, over, async (tx, own, accountId) => {
    for (const environment of ENVIRONMENTS) {
      const ids = own.flatMap((row) => (row.environment === environment ? row.delivery_id : []));
      if (ids.length > 0) await forgetDeliveries(tx, { accountId, environment }, ids);
    }
  });
  return young === -1 ? rows.at(-1)?.sequence : undefined;
}

/** Deletes ended deliveries of transactions, whose bodies contain the customers' numbers. */
export async function forgetDeliveriesOf(
  tx: Tx,
  scope: Scope,
  transactionIds: readonly string[],
): Promise<void> {
  const endpoints = tx.selectFrom("webhook_endpoints").select("endpoint_id").where(inScope(scope));
  const rows = await tx
    .selectFrom("webhook_deliveries")
    .select("delivery_id")
    .where(inScope(scope))
    .where("endpoint_id", "in", endpoints)
    .where("subject", "in", transactionIds)
    .execute();
  const ids = rows.map(({ delivery_id }) => delivery_id);
  if (ids.length > 0) await forgetDeliveries(tx, scope, ids);
}

/** Skips deliveries that were resent in between and are pending again. */
async function forgetDeliveries(tx: Tx, scope: Scope, ids: readonly string[]): Promise<void> {
  const over = await tx
    .selectFrom("webhook_deliveries")
    .select("delivery_id")
    .where(inScope(scope))
    .where("delivery_id", "in", ids)
    .where("state", "<>", "PENDING")
    .execute();
  if (over.length === 0) return;
  for (const table of ["webhook_attempts", "webhook_deliveries"] as const) {
    await tx
      .deleteFrom(table)
      .where(inScope(scope))
      .where(
        "delivery_id",
        "in",
        over.map(({ delivery_id }) => delivery_id),
      )
      .execute();
  }
}

export interface DeliveryRef extends Scope {
  deliveryId: string;
}

export interface Delivery extends EndpointRef, DeliveryRef {
  kind: WebhookKind;
  /** Id of the transaction, report or promotion; for other kinds, of the change. */
  subject: string;
  /** Undefined if the encryption key is missing. */
  body: string | undefined;
  state: DeliveryState;
  failures: number;
  nextAttemptAt: number | undefined;
  createdAt: number;
}

interface NewDelivery extends Pick<Delivery, "kind" | "subject"> {
  body: string;
  at: number;
  /** Null for a verification, which the purchase sends. */
  nextAttemptAt: number | null;
}

/**
 * Creates a delivery. The id is derived from the content, so a repeated call creates nothing. It
 * reopens a cancelled verification, for which a purchase still waits if its webhook verifies again.
 * Runs in the transaction that changes the delivery's subject.
 * @returns the id
 */
export async function createDelivery(
  tx: Tx,
  endpoint: EndpointRef,
  content: NewDelivery,
): Promise<string> {
  const { accountId, environment, endpointId } = endpoint;
  const { kind, subject } = content;
  const origin = JSON.stringify([accountId, environment, endpointId, kind, subject]);
  const deliveryId = `msg_${createHash("sha256").update(origin).digest("hex").slice(0, 32)}`;
  await tx
    .insertInto("webhook_deliveries")
    .values({
      account_id: accountId,
      environment,
      delivery_id: deliveryId,
      endpoint_id: endpointId,
      kind,
      subject,
      body: sealedText(content.body),
      state: "PENDING",
      next_attempt_at: content.nextAttemptAt,
      created_at: content.at,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["account_id", "environment", "endpoint_id", "subject", "kind"])
        .doUpdateSet({ state: "PENDING" })
        .where("webhook_deliveries.kind", "=", "TRANSACTION")
        .where("webhook_deliveries.state", "=", "CANCELLED"),
    )
    .execute();
  return deliveryId;
}

/** Lists due deliveries, longest overdue first. Omits deliveries that are being sent. */
export async function listDueDeliveries(
  db: Db | Tx,
  endpoint: EndpointRef,
  look: { now: number; limit: number; except: readonly string[] },
): Promise<Delivery[]> {
  let query = deliveries(db)
    .where(inScope(endpoint, "d"))
    .where("d.endpoint_id", "=", endpoint.endpointId)
    .where("d.next_attempt_at", "<=", look.now);
  if (look.except.length > 0) query = query.where("d.delivery_id", "not in", look.except);
  const rows = await query
    .orderBy("d.next_attempt_at")
    .orderBy("d.sequence")
    .limit(look.limit)
    .execute();
  return rows.map(toDelivery);
}

/**
 * Shortens waiting times that are too long because the clock was set back.
 * @param delays_ms delay after each failed attempt
 */
export async function pullDeliveries(
  tx: Tx,
  endpoint: EndpointRef,
  now: number,
  delays_ms: readonly number[],
): Promise<void> {
  const cases = delays_ms.map((delay_ms, n) => `when ${n + 1} then ${delay_ms}`).join(" ");
  const latest = sql<number>`cast(${now} as bigint) + case failures ${sql.raw(cases)} else 0 end`;
  await tx
    .updateTable("webhook_deliveries")
    .set({ next_attempt_at: latest })
    .where(inScope(endpoint))
    .where("endpoint_id", "=", endpoint.endpointId)
    .where("next_attempt_at", ">", latest)
    .execute();
}

/** Ignores deliveries that are being sent. */
export async function findNextAttemptAt(
  db: Db | Tx,
  endpoint: EndpointRef,
  except: readonly string[],
): Promise<number | undefined> {
  let query = db
    .selectFrom("webhook_deliveries")
    .select("next_attempt_at")
    .where(inScope(endpoint))
    .where("endpoint_id", "=", endpoint.endpointId)
    .where("next_attempt_at", "is not", null);
  if (except.length > 0) query = query.where("delivery_id", "not in", except);
  const row = await query.orderBy("next_attempt_at").limit(1).executeTakeFirst();
  return row?.next_attempt_at ?? undefined;
}

export async function listBusyEndpoints(db: Db | Tx): Promise<EndpointRef[]> {
  const rows = await db
    .selectFrom("webhook_deliveries")
    .select(["account_id", "environment", "endpoint_id"])
    .distinct()
    .where("next_attempt_at", "is not", null)
    .execute();
  return rows.map(toRef);
}

export async function countWaiting(db: Db | Tx, accountId: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom("webhook_deliveries")
    .select(["endpoint_id", (eb) => eb.fn.countAll<number>().as("waiting")])
    .where("account_id", "=", accountId)
    .where("next_attempt_at", "is not", null)
    .groupBy("endpoint_id")
    .execute();
  return new Map(rows.map((row) => [row.endpoint_id, row.waiting]));
}

interface DeliveryChange {
  state: DeliveryState;
  failures: number;
  nextAttemptAt: number | null;
}

/** A cancelled delivery stays cancelled. */
export async function updateDelivery(
  tx: Tx,
  ref: DeliveryRef,
  change: DeliveryChange,
): Promise<void> {
  await updating(tx, ref, change).where("state", "<>", "CANCELLED").execute();
}

/**
 * Records a failed attempt, unless the delivery has ended or was handed to another endpoint.
 * @returns whether the failure was recorded
 */
export async function failDelivery(
  tx: Tx,
  ref: DeliveryRef & EndpointRef,
  change: DeliveryChange,
): Promise<boolean> {
  const { numUpdatedRows } = await updating(tx, ref, change)
    .where("endpoint_id", "=", ref.endpointId)
    .where("state", "=", "PENDING")
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

function updating(tx: Tx, ref: DeliveryRef, change: DeliveryChange) {
  return tx
    .updateTable("webhook_deliveries")
    .set({
      state: change.state,
      failures: change.failures,
      next_attempt_at: change.nextAttemptAt,
    })
    .where(inScope(ref))
    .where("delivery_id", "=", ref.deliveryId);
}

/**
 * Makes waiting deliveries due with all their attempts.
 * @returns their number
 */
export async function renewDeliveries(tx: Tx, endpoint: EndpointRef, at: number): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable("webhook_deliveries")
    .set({ next_attempt_at: at, failures: 0 })
    .where(inScope(endpoint))
    .where("endpoint_id", "=", endpoint.endpointId)
    .where("next_attempt_at", "is not", null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Hands pending deliveries, which keep their ids, to the endpoint that replaces theirs. */
export async function moveDeliveries(
  tx: Tx,
  from: EndpointRef,
  to: EndpointRef & { kinds: readonly WebhookKind[] },
): Promise<void> {
  await tx
    .updateTable("webhook_deliveries")
    .set({ endpoint_id: to.endpointId })
    .where(inScope(from))
    .where("endpoint_id", "=", from.endpointId)
    .where("kind", "in", to.kinds)
    .where("state", "=", "PENDING")
    .execute();
}

/** Cancels pending deliveries of these kinds. */
export async function cancelDeliveries(
  tx: Tx,
  endpoint: EndpointRef,
  kinds: readonly WebhookKind[],
): Promise<void> {
  await tx
    .updateTable("webhook_deliveries")
    .set({ state: "CANCELLED", next_attempt_at: null })
    .where(inScope(endpoint))
    .where("endpoint_id", "=", endpoint.endpointId)
    .where("kind", "in", kinds)
    .where("state", "=", "PENDING")
    .execute();
}

function deliveries(db: Db | Tx) {
  return db
    .selectFrom("webhook_deliveries as d")
    .selectAll("d")
    .select(openedText("d.body").as("opened"));
}

type Row = Selectable<Tables["webhook_deliveries"]> & { opened: string | null };

function toDelivery(row: Row): Delivery {
  return {
    ...toRef(row),
    deliveryId: row.delivery_id,
    kind: row.kind,
    subject: row.subject,
    body: row.opened ?? undefined,
    state: row.state,
    failures: row.failures,
    nextAttemptAt: row.next_attempt_at ?? undefined,
    createdAt: row.created_at,
  };
}

export interface DeliveryFilter {
  environment?: Environment | undefined;
  endpointId?: string | undefined;
  deliveryId?: string | undefined;
  transactionId?: string | undefined;
  kind?: WebhookKind | undefined;
  state?: DeliveryState | undefined;
}

/** Reads only two indexes: of all deliveries, and of undelivered deliveries. */
async function countDeliveries(
  db: Db | Tx,
  accountId: string,
  { environment, endpointId, state }: DeliveryFilter,
): Promise<number> {
  const environments = sql.join(environment ? [environment] : ENVIRONMENTS);
  const ofScope = (sign: RawBuilder<unknown>) => sql`account_id = ${accountId}
    and ${sign}environment in (${environments})
    ${endpointId ? sql`and ${sign}endpoint_id = ${endpointId}` : sql``}`;
  const all = sql`(select count(*) from webhook_deliveries where ${ofScope(sql``)})`;
  const undelivered = (which: RawBuilder<unknown>) =>
    sql`(select count(*) from webhook_deliveries
      where ${ofScope(withoutIndex)} and state <> 'DELIVERED' ${which})`;
  const totalOf = () => {
    if (state === undefined) return all;
    if (state === "DELIVERED") return sql`${all} - ${undelivered(sql``)}`;
    return undelivered(sql`and state = ${state}`);
  };
  const { rows } = await sql<{ total: number }>`select ${totalOf()} as total`.execute(db);
  return rows[0]?.total ?? 0;
}

/**
 * Lists deliveries, newest first; `total` is exact. Only rows of the page are joined and decrypted.
 */
export async function listDeliveries(
  db: Db | Tx,
  accountId: string,
  filter: DeliveryFilter,
  page: { limit: number; offset: number },
  totals?: ListTotals,
): Promise<{ total: number; list: Delivery[] }> {
  const { environment, endpointId, deliveryId, transactionId, kind, state } = filter;
  const isAny = !(environment ?? endpointId ?? deliveryId ?? transactionId ?? state);
  // Reads the newest rows from the end of the table. An index would make SQLite sort all rows.
  const account = isAny ? sql<string>`${withoutIndex}account_id` : sql.ref<string>("account_id");
  let query = db.selectFrom("webhook_deliveries").where(account, "=", accountId);
  const ofAccount = db
    .selectFrom("webhook_endpoints")
    .select("endpoint_id")
    .where("account_id", "=", accountId)
    .where("environment", "in", ENVIRONMENTS);
  if (environment) query = query.where("environment", "=", environment);
  // The indexes need a condition on their first column, the environment.
  else if (endpointId ?? deliveryId ?? transactionId) {
    query = query.where("environment", "in", ENVIRONMENTS);
  }
  if (endpointId) query = query.where("endpoint_id", "=", endpointId);
  // The index also needs a condition on the endpoint. An account has few endpoints.
  else if (transactionId) query = query.where("endpoint_id", "in", ofAccount);
  if (deliveryId) query = query.where("delivery_id", "=", deliveryId);
  if (transactionId) query = query.where("subject", "=", transactionId);
  if (kind) query = query.where("kind", "=", kind);
  if (state) query = query.where("state", "=", state);
  // The database uses the partial index only with this condition.
  if (state && state !== "DELIVERED") query = query.where(sql<boolean>`state <> 'DELIVERED'`);
  const isOfFew = deliveryId !== undefined || transactionId !== undefined;
  const count = async () => {
    if (!isOfFew) return countDeliveries(db, accountId, filter);
    return countRows(query);
  };
  const key = JSON.stringify([accountId, filter]);
  const total = await (totals?.get(db, key, count) ?? count());
  const found = await query
    .select("sequence")
    .orderBy("sequence", "desc")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  if (found.length === 0) return { total, list: [] };
  const sequences = found.map(({ sequence }) => sequence);
  const rows = await deliveries(db).where("d.sequence", "in", sequences).execute();
  const list = rows.toSorted((one, other) => other.sequence - one.sequence).map(toDelivery);
  return { total, list };
}
