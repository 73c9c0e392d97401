export { PIN_COST } from "./pin-hash.ts";
export { SessionService } from "./session-service.ts";
export { registerStaffRoutes } from "./staff-routes.ts";
export { StaffService } from "./staff-service.ts";
