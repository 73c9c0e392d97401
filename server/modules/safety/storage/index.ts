import type { WriteHealth } from "../../../db/write-health.ts";
import type { Base, Module } from "../../module.ts";
import { StorageService } from "./storage-service.ts";

export { noteMissing, recordLost, StorageService, type StorageState } from "./storage-service.ts";

type StorageModuleDeps = Base & {
  background: ConstructorParameters<typeof StorageService>[0]["background"];
  health: WriteHealth;
  /** Whether each start audits the books; default is true. */
  auditAtStart?: boolean;
};

export function createStorageModule({ auditAtStart = true, ...deps }: StorageModuleDeps) {
  const storage = new StorageService(deps);
  return {
    services: { storage },
    pos: async (app) => (await import("./storage-routes.ts")).registerStorageRoutes(app, storage),
    start: () => storage.start({ audit: auditAtStart }),
    stop: () => storage.stop(),
    release: () => storage.idle(),
  } satisfies Module;
}
