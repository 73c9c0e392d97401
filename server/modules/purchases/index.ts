export { PurchaseEngine } from "./purchase-engine.ts";
export { PurchaseService } from "./purchase-service.ts";
export { findPurchases, type StoredPurchase } from "./purchase-store.ts";
export { ADVANCE_JOB, windowEnd } from "./purchase-transitions.ts";
export { registerTopupPurchaseRoutes } from "./topup-routes.ts";
