export { createMetricsToken, revokeMetricsToken } from "./metrics-token.ts";
export { registerMonitoring } from "./monitoring-routes.ts";
export { type Figures, MonitoringService } from "./monitoring-service.ts";
