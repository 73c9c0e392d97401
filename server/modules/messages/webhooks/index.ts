export { forgetDeliveriesOf, pruneDeliveries } from "./delivery-store.ts";
export { listEndpoints, listEndpointsOfKind } from "./endpoint-store.ts";
export { createWebhooksModule } from "./module.ts";
export { ReceiptMessages } from "./receipt-messages.ts";
export { type Verdict, Verifier } from "./verifier.ts";
export { RETRY_DELAYS_MS } from "./webhook-dispatcher.ts";
export { DELIVER_JOB, enqueueResult } from "./webhook-outbox.ts";
export { createSecret } from "./webhook-sender.ts";
export { MAX_ENDPOINTS, type PreparedEndpoint, WebhookService } from "./webhook-service.ts";
