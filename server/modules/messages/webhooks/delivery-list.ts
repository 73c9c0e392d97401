import { sql } from "kysely";
import { ENVIRONMENTS, type Environment } from "../../../contract/common.ts";
import { DELIVERY_STATES, type DeliveryState } from "../../../contract/pos/webhooks.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { withoutIndex } from "../../../db/engine-words.ts";
import { type Delivery, deliveries, toDelivery } from "./delivery-store.ts";

export interface DeliveryFilter {
  environment?: Environment | undefined;
  endpointId?: string | undefined;
  deliveryId?: string | undefined;
  transactionId?: string | undefined;
  state?: DeliveryState | undefined;
}

/** How many there are by the counts of each endpoint, however many were sent. */
function countDeliveries(
  db: Db | Tx,
  accountId: string,
  { environment, endpointId, state }: DeliveryFilter,
): Promise<{ total: number }> {
  let query = db
    .selectFrom("webhook_delivery_counts")
    .where("account_id", "=", accountId)
    .where("environment", "in", environment ? [environment] : ENVIRONMENTS)
    .where("state", "in", state ? [state] : DELIVERY_STATES);
  if (endpointId) query = query.where("endpoint_id", "=", endpointId);
  return query
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>("deliveries"), eb.lit(0)).as("total"))
    .executeTakeFirstOrThrow();
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
  const { total } = isOfFew
    ? await query.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow()
    : await countDeliveries(db, accountId, filter);
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
