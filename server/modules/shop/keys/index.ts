export { type ApiKey, KeyService } from "./key-service.ts";
export { createKeysModule } from "./module.ts";
