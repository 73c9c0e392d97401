export { readFreeBytes } from "./free-space.ts";
export { registerTillEnvironmentRoutes } from "./till-environment-routes.ts";
export { TillEnvironmentService } from "./till-environment-service.ts";
