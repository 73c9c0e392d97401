export { createUpstreamModule } from "./module.ts";
export { UpstreamService } from "./upstream-service.ts";
export { toComparison, toUpstreamState } from "./upstream-status.ts";
export { providerNames, type StoredUpstream } from "./upstream-store.ts";
