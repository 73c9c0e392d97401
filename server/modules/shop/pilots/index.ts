export { requirePilot } from "./pilot-guard.ts";
export { readPilotState } from "./pilot-state.ts";
export { endPilot, movePilot, type PilotCaps, startPilot } from "./pilot-store.ts";
