export { registerReconciliationRoutes } from "./reconciliation-routes.ts";
export { ReconciliationService } from "./reconciliation-service.ts";
