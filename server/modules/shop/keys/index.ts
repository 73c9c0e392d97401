export { type ApiKey, KeyService, keyNames } from "./key-service.ts";
export { createKeysModule } from "./module.ts";
