export { addedToSafe, type CashFlow, sumCashFlow } from "./cash-flow.ts";
export { createShiftsModule } from "./module.ts";
export { ShiftService } from "./shift-service.ts";
export { findMovementAuthor, listOpenShifts, requireOpenShift } from "./shift-store.ts";
export { viewPaidLines } from "./unfinished-lines.ts";
export { readZReportsClosed } from "./z-report-store.ts";
