import {
  RECEIPT_MESSAGE_SAMPLE,
  type ReceiptMessage,
} from "../../../contract/pos/receipt-pages.ts";
import {
  CATALOG_MESSAGE_SAMPLE,
  isOfTransaction,
  recordOf,
  type Webhook,
  type WebhookDelivery,
  type WebhookKind,
} from "../../../contract/pos/webhooks.ts";
import recorded from "../../../http/record-samples.json" with { type: "json" };
import { toTimestamp } from "../../../lib/clock.ts";
import type { Delivery } from "./delivery-store.ts";
import type { Endpoint, NewEndpoint } from "./endpoint-store.ts";
import type { Attempt } from "./webhook-sender.ts";

const TEST_TRANSACTION_ID = "tillgate-test-message";

/** Start of the subject of a sample. No id of a transaction contains a colon. */
export const SAMPLE_PREFIX = "sample:";

export function makeSample(kind: WebhookKind): string {
  if (kind === "RECEIPT") {
    const test: ReceiptMessage = { ...RECEIPT_MESSAGE_SAMPLE, event: "receipt.test" };
    return JSON.stringify(test);
  }
  if (kind === "CATALOG") return JSON.stringify(CATALOG_MESSAGE_SAMPLE);
  const record = recordOf(kind);
  const sample = Object.entries(recorded).find(([title]) => title === record)?.[1];
  if (typeof sample !== "object") throw new Error(`there is no sample of ${record}`);
  const mark = "transactionId" in sample ? { transactionId: TEST_TRANSACTION_ID } : {};
  return JSON.stringify({ ...sample, ...mark });
}

export function toWebhookView(endpoint: NewEndpoint & Partial<Endpoint>, waiting: number): Webhook {
  const { failingSince, lastFailure, pausedAt, listeningUntil } = endpoint;
  return {
    webhookId: endpoint.endpointId,
    environment: endpoint.environment,
    kind: toFirst(endpoint.kinds),
    kinds: [...endpoint.kinds],
    ...(endpoint.description !== undefined && { description: endpoint.description }),
    url: endpoint.url,
    ...(endpoint.headerName !== undefined && { headerName: endpoint.headerName }),
    allowPrivate: endpoint.allowPrivate,
    createdAt: toTimestamp(endpoint.createdAt),
    ...(failingSince !== undefined && { failingSince: toTimestamp(failingSince) }),
    ...(lastFailure !== undefined && { lastFailure }),
    ...(pausedAt !== undefined && { pausedAt: toTimestamp(pausedAt) }),
    ...(endpoint.oldSecret && { oldSecretUntil: toTimestamp(endpoint.oldSecret.until) }),
    ...(listeningUntil !== undefined && { listeningUntil: toTimestamp(listeningUntil) }),
    waiting,
  };
}

export function toDeliveryView(delivery: Delivery, attempts: Attempt[]): WebhookDelivery {
  const { kind, subject, nextAttemptAt } = delivery;
  return {
    deliveryId: delivery.deliveryId,
    webhookId: delivery.endpointId,
    environment: delivery.environment,
    kind,
    subject,
    ...(isOfTransaction(kind) && !subject.startsWith(SAMPLE_PREFIX) && { transactionId: subject }),
    state: delivery.state,
    createdAt: toTimestamp(delivery.createdAt),
    ...(nextAttemptAt !== undefined && { nextAttemptAt: toTimestamp(nextAttemptAt) }),
    attempts: attempts.map(toAttemptView),
  };
}

export function toAttemptView({ beganAt, endedAt, status, answer, error }: Attempt) {
  return {
    beganAt: toTimestamp(beganAt),
    duration_ms: endedAt - beganAt,
    ...(status !== undefined && { status }),
    ...(answer !== undefined && { answer }),
    ...(error !== undefined && { error }),
  };
}

function toFirst([kind]: readonly WebhookKind[]): WebhookKind {
  if (!kind) throw new Error("a webhook has no kind");
  return kind;
}
