export { bookRefund } from "./refund-booking.ts";
export { NO_REFUND_ANSWER, REFUND_JOB, RefundEngine } from "./refund-engine.ts";
export { registerRefundRoutes } from "./refund-routes.ts";
export { RefundService } from "./refund-service.ts";
export { findRefundedIds } from "./refund-store.ts";
