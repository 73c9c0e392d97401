export { registerShiftRoutes } from "./shift-routes.ts";
export { ShiftService } from "./shift-service.ts";
export { findMovementDeed, listOpenShifts, requireOpenShift } from "./shift-store.ts";
export { viewPaidLines } from "./unfinished-lines.ts";
export { ZReportService } from "./z-report-service.ts";
