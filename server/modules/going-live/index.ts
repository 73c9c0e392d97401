export { readTurnedRed } from "./check-results-store.ts";
export { readFreeBytes } from "./free-space.ts";
export { isRateRecent } from "./going-live-checks.ts";
export { createGoingLiveModule } from "./module.ts";
