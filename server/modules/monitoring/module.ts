import type { FileCheck } from "../../db/file-check.ts";
import type { BackupService } from "../backups/index.ts";
import type { Base, Module } from "../module.ts";
import type { StorageService } from "../storage/index.ts";
import type { UpdateService } from "../updates/index.ts";
import { registerMonitoring } from "./monitoring-routes.ts";
import { MonitoringService } from "./monitoring-service.ts";

type Deps = Base & {
  check: FileCheck;
  backups: BackupService;
  storage: StorageService;
  updates: UpdateService;
};

export function createMonitoringModule(deps: Deps) {
  const monitoring = new MonitoringService(deps);
  return {
    services: { monitoring },
    root: (app) => registerMonitoring(app, { monitoring, dataDir: deps.config.dataDir }),
  } satisfies Module;
}
