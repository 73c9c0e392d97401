export { createMetricsToken, revokeMetricsToken } from "./metrics-token.ts";
export { createMonitoringModule } from "./module.ts";
export type { Figures, MonitoringService } from "./monitoring-service.ts";
