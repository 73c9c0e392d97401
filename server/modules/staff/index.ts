export { registerApprovalRoutes } from "./approval-routes.ts";
export { ApprovalService } from "./approval-service.ts";
export { PIN_COST } from "./pin-hash.ts";
export { PinHasher } from "./pin-hasher.ts";
export { requireRights, spendApproval } from "./require-rights.ts";
export { registerSessionRoutes, toPosSession } from "./session-routes.ts";
export { type Session, SessionService } from "./session-service.ts";
export { registerStaffRoutes } from "./staff-routes.ts";
export { StaffService } from "./staff-service.ts";
