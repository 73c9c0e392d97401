import type { Environment } from "../../contract/common.ts";
import type { DeliveryState } from "../../contract/pos/webhooks.ts";
import type { Db, Tx } from "../../db/database.ts";
import { type Delivery, deliveries, toDelivery } from "./delivery-store.ts";
import type { Attempt } from "./webhook-sender.ts";

export interface DeliveryFilter {
  environment?: Environment | undefined;
  endpointId?: string | undefined;
  deliveryId?: string | undefined;
  transactionId?: string | undefined;
  state?: DeliveryState | undefined;
}

/** Deliveries that match, newest first; `total` is exact. */
export async function listDeliveries(
  db: Db | Tx,
  accountId: string,
  filter: DeliveryFilter,
  page: { limit: number; offset: number },
): Promise<{ total: number; list: Delivery[] }> {
  let query = deliveries(db).where("d.account_id", "=", accountId);
  if (filter.environment) query = query.where("d.environment", "=", filter.environment);
  if (filter.endpointId) query = query.where("d.endpoint_id", "=", filter.endpointId);
  if (filter.deliveryId) query = query.where("d.delivery_id", "=", filter.deliveryId);
  if (filter.transactionId) query = query.where("d.transaction_id", "=", filter.transactionId);
  if (filter.state) query = query.where("d.state", "=", filter.state);
  const { total } = await query
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const rows = await query
    .orderBy("d.sequence", "desc")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { total, list: rows.map(toDelivery) };
}

/** The attempts of these deliveries, by id, each in order. */
export async function attemptsOf(
  db: Db | Tx,
  accountId: string,
  deliveryIds: string[],
): Promise<Map<string, Attempt[]>> {
  if (deliveryIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("webhook_attempts")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("delivery_id", "in", deliveryIds)
    .orderBy("delivery_id")
    .orderBy("position")
    .execute();
  const attempts = new Map<string, Attempt[]>();
  for (const row of rows) {
    const list = attempts.get(row.delivery_id) ?? [];
    list.push({
      beganAt: row.began_at,
      endedAt: row.ended_at,
      status: row.status ?? undefined,
      answer: row.answer ?? undefined,
      error: row.error ?? undefined,
    });
    attempts.set(row.delivery_id, list);
  }
  return attempts;
}
