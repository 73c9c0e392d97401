export { type ApiKey, KeyService } from "./key-service.ts";
