import type { WebhookKind } from "../../../contract/pos/webhooks.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Tx } from "../../../db/database.ts";
import { enqueueJob } from "../../../jobs/job-store.ts";
import { decodeSubject, encodeSubject } from "../../../jobs/job-subject.ts";
import { createDelivery } from "./delivery-store.ts";
import { type EndpointRef, listEndpointsOfKind } from "./endpoint-store.ts";

/** Job that delivers to an endpoint. The job's subject names the endpoint. */
export const DELIVER_JOB = "webhook.deliver";

export function toSubject(ref: EndpointRef): string {
  return encodeSubject(ref, ref.endpointId);
}

/** @throws RangeError */
export function parseSubject(subject: string): EndpointRef {
  const { scope, id } = decodeSubject(subject);
  return { ...scope, endpointId: id };
}

export type ResultKind = Exclude<WebhookKind, "RECEIPT" | "TRANSACTION">;

/**
 * Queues a result for its webhooks, in the transaction that finishes the purchase.
 * @param render returns the record as GET returns it (rules#webhook-body); called only if a webhook
 * is registered
 */
export async function enqueueResult(
  tx: Tx,
  result: Scope & { transactionId: string; kind: ResultKind; at: number },
  render: () => Promise<object | undefined>,
): Promise<void> {
  const { transactionId, kind, at } = result;
  const endpoints = await listEndpointsOfKind(tx, result, kind);
  if (endpoints.length === 0) return;
  const record = await render();
  if (!record) return;
  const body = JSON.stringify(record);
  for (const endpoint of endpoints) {
    await createDelivery(tx, endpoint, { transactionId, body, at, nextAttemptAt: at });
    await enqueueJob(tx, { kind: DELIVER_JOB, subject: toSubject(endpoint), runAt: at });
  }
}
