export { isRateRecent } from "./catalog-checks.ts";
export { readTurnedRed } from "./check-results-store.ts";
export { readFreeBytes } from "./free-space.ts";
export { createGoingLiveModule } from "./module.ts";
