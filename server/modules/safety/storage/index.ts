export { createStorageModule } from "./module.ts";
export { StorageService, type StorageState } from "./storage-service.ts";
export { noteMissing, recordLost } from "./storage-store.ts";
