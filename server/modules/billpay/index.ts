export { registerBillRoutes } from "./bill-routes.ts";
export { BillService } from "./bill-service.ts";
