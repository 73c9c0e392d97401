export { isRateRecent } from "./going-live-checks.ts";
export { readTurnedRed } from "./going-live-store.ts";
export { createGoingLiveModule } from "./module.ts";
