import type { Webhook, WebhookDelivery } from "../../../contract/pos/webhooks.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import type { Delivery } from "./delivery-store.ts";
import type { Endpoint, NewEndpoint } from "./endpoint-store.ts";
import type { Attempt } from "./webhook-sender.ts";

/** An endpoint as its owner sees it: without the header's value and the secret. */
export function toWebhookView(endpoint: NewEndpoint & Partial<Endpoint>, waiting: number): Webhook {
  const { failingSince, lastFailure, pausedAt } = endpoint;
  return {
    webhookId: endpoint.endpointId,
    environment: endpoint.environment,
    kind: endpoint.kind,
    url: endpoint.url,
    ...(endpoint.headerName !== undefined && { headerName: endpoint.headerName }),
    allowPrivate: endpoint.allowPrivate,
    createdAt: toTimestamp(endpoint.createdAt),
    ...(failingSince !== undefined && { failingSince: toTimestamp(failingSince) }),
    ...(lastFailure !== undefined && { lastFailure }),
    ...(pausedAt !== undefined && { pausedAt: toTimestamp(pausedAt) }),
    ...(endpoint.oldSecret && { oldSecretUntil: toTimestamp(endpoint.oldSecret.until) }),
    waiting,
  };
}

export function toDeliveryView(delivery: Delivery, attempts: Attempt[]): WebhookDelivery {
  const { nextAttemptAt } = delivery;
  return {
    deliveryId: delivery.deliveryId,
    webhookId: delivery.endpointId,
    environment: delivery.environment,
    kind: delivery.kind,
    transactionId: delivery.transactionId,
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
