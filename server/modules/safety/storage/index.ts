export { noteMissing, recordLost } from "./missing-commits.ts";
export { createStorageModule } from "./module.ts";
export { StorageService, type StorageState } from "./storage-service.ts";
