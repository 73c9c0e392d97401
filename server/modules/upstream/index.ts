export { createUpstreamModule } from "./module.ts";
export { type Actor, UpstreamService } from "./upstream-service.ts";
export { toComparison, toUpstreamState } from "./upstream-view.ts";
