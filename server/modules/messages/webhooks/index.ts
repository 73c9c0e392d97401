export { forgetDeliveriesOf, pruneDeliveries } from "./delivery-store.ts";
export { listEndpoints, listEndpointsOfKind } from "./endpoint-store.ts";
export {
  type ForwardedMessage,
  LISTENED_KINDS,
  type OpenListener,
  removeAbandonedListener,
} from "./listener-service.ts";
export { createWebhooksModule } from "./module.ts";
export { ReceiptMessages } from "./receipt-messages.ts";
export { type Verdict, Verifier } from "./verifier.ts";
export { RETRY_DELAYS_MS } from "./webhook-dispatcher.ts";
export { DELIVER_JOB, enqueueMessage, takesMessages } from "./webhook-outbox.ts";
export { createSecret } from "./webhook-sender.ts";
export { MAX_ENDPOINTS, type PreparedEndpoint, WebhookService } from "./webhook-service.ts";
