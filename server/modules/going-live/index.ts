export { readTurnedRed, type TurnedRed } from "./check-results-store.ts";
export { createGoingLiveModule } from "./module.ts";
