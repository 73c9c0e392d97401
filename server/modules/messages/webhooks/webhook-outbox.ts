import type { WebhookKind } from "../../../contract/pos/webhooks.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
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

type MessageKind = Exclude<WebhookKind, "RECEIPT" | "TRANSACTION">;

/** Returns whether a webhook takes messages of this kind. */
export async function takesMessages(
  db: Db | Tx,
  scope: Scope,
  kind: WebhookKind,
): Promise<boolean> {
  return (await listEndpointsOfKind(db, scope, kind)).length > 0;
}

/**
 * Queues a message for its webhooks, in the transaction that finishes or changes its subject.
 * @param render returns the record as GET returns it (rules#webhook-body); called only if a webhook
 * is registered
 */
export async function enqueueMessage(
  tx: Tx,
  message: Scope & { kind: MessageKind; subject: string; at: number },
  render: () => Promise<object | undefined>,
): Promise<void> {
  const { kind, subject, at } = message;
  const endpoints = await listEndpointsOfKind(tx, message, kind);
  if (endpoints.length === 0) return;
  const record = await render();
  if (!record) return;
  const body = JSON.stringify(record);
  for (const endpoint of endpoints) {
    const content = { kind, subject, body, at, nextAttemptAt: at };
    await createDelivery(tx, endpoint, content);
    await enqueueJob(tx, { kind: DELIVER_JOB, subject: toSubject(endpoint), runAt: at });
  }
}
