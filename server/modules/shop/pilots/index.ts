export { requirePilot } from "./pilot-guard.ts";
export { endPilot, movePilot, type PilotCaps, readPilotState, startPilot } from "./pilot-store.ts";
