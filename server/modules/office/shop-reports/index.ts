export { createShopReportsModule } from "./module.ts";
export type { ScheduleService } from "./schedule-service.ts";
export { listScheduleRows } from "./schedule-store.ts";
export { listReadyShopReportFiles } from "./shop-report-store.ts";
