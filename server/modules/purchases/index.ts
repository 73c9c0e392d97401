export { PurchaseEngine } from "./purchase-engine.ts";
export { registerTopupPurchaseRoutes, registerVoucherPurchaseRoutes } from "./purchase-routes.ts";
export { PurchaseService } from "./purchase-service.ts";
export { findPurchases, type StoredPurchase } from "./purchase-store.ts";
export { ADVANCE_JOB, windowEnd } from "./purchase-transitions.ts";
