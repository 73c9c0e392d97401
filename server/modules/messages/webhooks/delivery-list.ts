import { type RawBuilder, sql } from "kysely";
import { ENVIRONMENTS, type Environment } from "../../../contract/common.ts";
import type { DeliveryState } from "../../../contract/pos/webhooks.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { withoutIndex } from "../../../db/engine-words.ts";
import type { ListTotals } from "../../../db/list-totals.ts";
import { type Delivery, deliveries, toDelivery } from "./delivery-store.ts";

export interface DeliveryFilter {
  environment?: Environment | undefined;
  endpointId?: string | undefined;
  deliveryId?: string | undefined;
  transactionId?: string | undefined;
  state?: DeliveryState | undefined;
}

/** Counts entries of two indexes, without a look at the table: of all deliveries, and of those that were not delivered. */
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
  const total =
    state === undefined
      ? all
      : state === "DELIVERED"
        ? sql`${all} - ${undelivered(sql``)}`
        : undelivered(sql`and state = ${state}`);
  const { rows } = await sql<{ total: number }>`select ${total} as total`.execute(db);
  return rows[0]?.total ?? 0;
}

/**
 * Deliveries that match, newest first; `total` is exact. What is passed over is neither joined nor
 * decrypted.
 */
export async function listDeliveries(
  db: Db | Tx,
  accountId: string,
  filter: DeliveryFilter,
  page: { limit: number; offset: number },
  totals?: ListTotals,
): Promise<{ total: number; list: Delivery[] }> {
  const { environment, endpointId, deliveryId, transactionId, state } = filter;
  const isAny = !(environment ?? endpointId ?? deliveryId ?? transactionId ?? state);
  // Of all of them the newest are the end of the table. Through an index SQLite sorts what is kept.
  const account = isAny ? sql<string>`${withoutIndex}account_id` : sql.ref<string>("account_id");
  let query = db.selectFrom("webhook_deliveries").where(account, "=", accountId);
  if (environment) query = query.where("environment", "=", environment);
  // Their indexes begin with the environment.
  else if (endpointId ?? deliveryId ?? transactionId) {
    query = query.where("environment", "in", ENVIRONMENTS);
  }
  if (endpointId) query = query.where("endpoint_id", "=", endpointId);
  if (deliveryId) query = query.where("delivery_id", "=", deliveryId);
  if (transactionId) query = query.where("transaction_id", "=", transactionId);
  if (state) query = query.where("state", "=", state);
  // Written out, so that the index of those that were not delivered fits.
  if (state && state !== "DELIVERED") query = query.where(sql<boolean>`state <> 'DELIVERED'`);
  const isOfFew = deliveryId !== undefined || transactionId !== undefined;
  const count = async () => {
    if (!isOfFew) return countDeliveries(db, accountId, filter);
    const counted = query.select((eb) => eb.fn.countAll<number>().as("total"));
    return (await counted.executeTakeFirstOrThrow()).total;
  };
  const key = JSON.stringify([accountId, filter]);
  const total = totals ? await totals.get(db, key, count) : await count();
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
