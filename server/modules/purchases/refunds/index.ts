export { createRefundsModule } from "./module.ts";
export { bookRefund } from "./refund-booking.ts";
export { NO_REFUND_ANSWER, REFUND_JOB } from "./refund-engine.ts";
export { RefundService } from "./refund-service.ts";
export { findRefundedIds, listUnderRefund } from "./refund-store.ts";
