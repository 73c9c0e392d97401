import {
  isOfTransaction,
  type Webhook,
  type WebhookDelivery,
  type WebhookKind,
} from "../../../contract/pos/webhooks.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import type { Delivery } from "./delivery-store.ts";
import type { Endpoint, NewEndpoint } from "./endpoint-store.ts";
import { SAMPLE_PREFIX } from "./webhook-sample.ts";
import type { Attempt } from "./webhook-sender.ts";

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
