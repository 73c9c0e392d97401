export { findCashGiveBack } from "./cash-give-back.ts";
export { registerGiveBackRoutes } from "./give-back-routes.ts";
export { GiveBackService } from "./give-back-service.ts";
