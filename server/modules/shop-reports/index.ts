export { createShopReportsModule } from "./module.ts";
export { listReadyShopReportFiles } from "./shop-report-store.ts";
