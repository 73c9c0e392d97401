export { noteMissing } from "./missing-commits.ts";
export { registerStorageRoutes } from "./storage-routes.ts";
export { StorageService, type StorageState } from "./storage-service.ts";
