import { createHash } from "node:crypto";
import { type Selectable, sql } from "kysely";
import type { DeliveryState, WebhookKind } from "../../../contract/pos/webhooks.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inSameScope, inScope } from "../../../db/scope-filters.ts";
import { openedText, sealedText } from "../../../db/sealed-text.ts";
import type { Tables } from "../../../db/tables.ts";
import type { EndpointRef } from "./endpoint-store.ts";

/** A delivery's full key. */
export interface DeliveryRef extends Scope {
  deliveryId: string;
}

/** What is sent to an endpoint about a transaction, once or as often as it takes. */
export interface Delivery extends EndpointRef, DeliveryRef {
  kind: WebhookKind;
  transactionId: string;
  /** Undefined where the key that it was encrypted with is not there. */
  body: string | undefined;
  state: DeliveryState;
  failures: number;
  nextAttemptAt: number | undefined;
  createdAt: number;
}

/**
 * Makes the delivery of a transaction to an endpoint, in the transaction that it tells of. There is
 * one, however often it is made; its id is made of what it is, so that it is the same for ever.
 */
export async function createDelivery(
  tx: Tx,
  endpoint: EndpointRef,
  content: { transactionId: string; body: string; at: number; nextAttemptAt: number | null },
): Promise<void> {
  const { accountId, environment, endpointId } = endpoint;
  const { transactionId } = content;
  const origin = JSON.stringify([accountId, environment, endpointId, transactionId]);
  await tx
    .insertInto("webhook_deliveries")
    .values({
      account_id: accountId,
      environment,
      delivery_id: `msg_${createHash("sha256").update(origin).digest("hex").slice(0, 32)}`,
      endpoint_id: endpointId,
      transaction_id: transactionId,
      body: sealedText(content.body),
      state: "PENDING",
      next_attempt_at: content.nextAttemptAt,
      created_at: content.at,
    })
    .onConflict((conflict) =>
      conflict.columns(["account_id", "environment", "endpoint_id", "transaction_id"]).doNothing(),
    )
    .execute();
}

/** Deliveries of an endpoint that are due, the longest due first, without those under way. */
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
 * Lets no delivery wait longer than it was to wait, which is so only when the clock was moved back.
 * @param delays_ms how long after each failed attempt the next one follows
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

/** When the next delivery of an endpoint is due, without those under way. */
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

/** Endpoints that have something to deliver. */
export async function listBusyEndpoints(db: Db | Tx): Promise<EndpointRef[]> {
  const rows = await db
    .selectFrom("webhook_deliveries")
    .select(["account_id", "environment", "endpoint_id"])
    .distinct()
    .where("next_attempt_at", "is not", null)
    .execute();
  return rows.map((row) => ({
    accountId: row.account_id,
    environment: row.environment,
    endpointId: row.endpoint_id,
  }));
}

/** How many deliveries are still to be made, by endpoint id. */
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

/** Moves a delivery that is not over on to where it stands now; a cancelled one stays so. */
export async function updateDelivery(
  tx: Tx,
  ref: DeliveryRef,
  change: { state: DeliveryState; failures: number; nextAttemptAt: number | null },
): Promise<void> {
  await tx
    .updateTable("webhook_deliveries")
    .set({
      state: change.state,
      failures: change.failures,
      next_attempt_at: change.nextAttemptAt,
    })
    .where(inScope(ref))
    .where("delivery_id", "=", ref.deliveryId)
    .where("state", "<>", "CANCELLED")
    .execute();
}

export async function cancelDeliveries(tx: Tx, endpoint: EndpointRef): Promise<void> {
  await tx
    .updateTable("webhook_deliveries")
    .set({ state: "CANCELLED", next_attempt_at: null })
    .where(inScope(endpoint))
    .where("endpoint_id", "=", endpoint.endpointId)
    .where("state", "=", "PENDING")
    .execute();
}

/** With the kind of their endpoints. */
export function deliveries(db: Db | Tx) {
  return db
    .selectFrom("webhook_deliveries as d")
    .innerJoin("webhook_endpoints as e", inSameScope("e", "d", "endpoint_id"))
    .selectAll("d")
    .select(["e.kind", openedText("d.body").as("opened")]);
}

type Row = Selectable<Tables["webhook_deliveries"]> & { kind: WebhookKind; opened: string | null };

export function toDelivery(row: Row): Delivery {
  return {
    accountId: row.account_id,
    environment: row.environment,
    endpointId: row.endpoint_id,
    deliveryId: row.delivery_id,
    kind: row.kind,
    transactionId: row.transaction_id,
    body: row.opened ?? undefined,
    state: row.state,
    failures: row.failures,
    nextAttemptAt: row.next_attempt_at ?? undefined,
    createdAt: row.created_at,
  };
}
