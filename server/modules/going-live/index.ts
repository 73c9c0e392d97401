export { readTurnedRed } from "./check-results-store.ts";
export { createGoingLiveModule } from "./module.ts";
