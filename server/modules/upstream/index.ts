export { registerHookRoutes } from "./hook-routes.ts";
export { UpstreamHooks } from "./upstream-hooks.ts";
export { registerUpstreamRoutes } from "./upstream-routes.ts";
export { type Actor, SYNC_JOB, UpstreamService } from "./upstream-service.ts";
export { UpstreamSync } from "./upstream-sync.ts";
export { toComparison, toUpstreamState } from "./upstream-view.ts";
