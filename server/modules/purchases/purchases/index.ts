export { listPausedBrands, listPauses, PROBE_JOB } from "./brand-pauses.ts";
export { withCanonicalNumbers } from "./buyer-fields.ts";
export { findRawAnswer } from "./commit-decision.ts";
export { isShortAtProvider } from "./decision.ts";
export { eraseDetails, sealDetails } from "./details-keeping.ts";
export { LINE_FIELDS } from "./families/family.ts";
export { PURCHASED_FAMILIES } from "./families/index.ts";
export { createPurchasesModule } from "./module.ts";
export { PurchaseService } from "./purchase-service.ts";
export {
  countUnfinished,
  doubtUnfinished,
  findPurchases,
  listDelivered,
  listInDoubt,
  orderOf,
  type PurchaseOf,
  readExtras,
  type StoredPurchase,
} from "./purchase-store.ts";
export { ADVANCE_JOB } from "./purchase-writes.ts";
export { MOVED_TO } from "./refusals.ts";
export {
  hasBeenAskedEnough,
  isBeingFoundOut,
  NO_ANSWER,
  openUntil,
  RETRY_INTERVAL_MS,
  RETRY_WINDOW_MS,
  SHORTEST_PAUSE_MS,
} from "./retry-policy.ts";
export { TimeAsked } from "./time-asked.ts";
