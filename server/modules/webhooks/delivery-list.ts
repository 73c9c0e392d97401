import type { Environment } from "../../contract/common.ts";
import type { DeliveryState } from "../../contract/pos/webhooks.ts";
import type { Db, Tx } from "../../db/database.ts";
import { type Delivery, deliveries, toDelivery } from "./delivery-store.ts";

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
