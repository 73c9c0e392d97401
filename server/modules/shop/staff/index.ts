export { isKnownDevice } from "./device-store.ts";
export { countGuesses } from "./guess-store.ts";
export { createStaffModule } from "./module.ts";
export { requireRights, spendApproval } from "./require-rights.ts";
export { registerSessionRoutes, toPosSession } from "./session-routes.ts";
export { type Session, SessionService } from "./session-service.ts";
export { StaffService } from "./staff-service.ts";
export { findActor, staffNames } from "./staff-store.ts";
