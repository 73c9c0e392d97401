import type { FileCheck } from "../../../db/file-check.ts";
import type { Base, Module } from "../../module.ts";
import type { BackupService } from "../../safety/backups/index.ts";
import type { StorageService } from "../../safety/storage/index.ts";
import type { UpdateService } from "../../safety/updates/index.ts";
import { Metrics } from "./metrics.ts";
import { measureAnswers, registerMonitoring } from "./monitoring-routes.ts";
import { MonitoringService } from "./monitoring-service.ts";

export {
  createMetricsToken,
  type Figures,
  type MonitoringService,
  revokeMetricsToken,
} from "./monitoring-service.ts";

type MonitoringModuleDeps = Base & {
  check: FileCheck;
  backups: BackupService;
  storage: StorageService;
  updates: UpdateService;
  readFreeBytes(): Promise<number | undefined>;
};

export function createMonitoringModule(deps: MonitoringModuleDeps) {
  const monitoring = new MonitoringService(deps);
  let metrics: Metrics | undefined;
  const findMetrics = () => {
    metrics ??= new Metrics();
    return metrics;
  };
  return {
    services: { monitoring },
    everywhere: (app) => measureAnswers(app, findMetrics()),
    root: (app) =>
      registerMonitoring(app, {
        monitoring,
        metrics: findMetrics(),
        dataDir: deps.config.dataDir,
      }),
    stop: () => metrics?.stop(),
  } satisfies Module;
}
