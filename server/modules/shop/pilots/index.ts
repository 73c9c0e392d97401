export {
  endPilot,
  movePilot,
  type PilotCaps,
  readPilotState,
  requirePilot,
  startPilot,
} from "./pilot-store.ts";
