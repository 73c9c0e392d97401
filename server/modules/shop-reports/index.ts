export { createShopReportsModule } from "./module.ts";
export { listScheduleRows } from "./schedule-store.ts";
export { listReadyShopReportFiles } from "./shop-report-store.ts";
