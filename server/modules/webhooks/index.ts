export { sealBodies } from "./body-sealing.ts";
export { pruneDeliveries } from "./delivery-pruning.ts";
export { type Verdict, VerificationDesk } from "./verification-desk.ts";
export { WebhookCourier } from "./webhook-courier.ts";
export { DELIVER_JOB, enqueueResult } from "./webhook-outbox.ts";
export { registerWebhookRoutes } from "./webhook-routes.ts";
export { WebhookSender } from "./webhook-sender.ts";
export { WebhookService } from "./webhook-service.ts";
