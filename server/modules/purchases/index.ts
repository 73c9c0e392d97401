export { listPausedBrands, PROBE_JOB } from "./brand-breaker.ts";
export { registerBrandPauseRoutes } from "./brand-pause-routes.ts";
export { BrandPauseService } from "./brand-pause-service.ts";
export { PurchaseEngine } from "./purchase-engine.ts";
export { registerPurchaseRoutes } from "./purchase-routes.ts";
export { PurchaseService } from "./purchase-service.ts";
export {
  findPurchases,
  orderOf,
  type PurchaseOf,
  type StoredPurchase,
} from "./purchase-store.ts";
export {
  ADVANCE_JOB,
  hasBeenAskedEnough,
  isBeingFoundOut,
  NO_ANSWER,
  openUntil,
} from "./purchase-transitions.ts";
export { PurchaseVerification } from "./purchase-verification.ts";
export { registerQrCodeRoutes } from "./qr-code-routes.ts";
export { eraseSlips, sealSlips } from "./slip-keeping.ts";
export { TimeAsked } from "./time-asked.ts";
export { countSubmitted, doubtUnfinished } from "./unfinished-store.ts";
