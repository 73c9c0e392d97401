import type { BackupService } from "../backups/index.ts";
import type { Base, Module } from "../module.ts";
import type { ShiftService } from "../shifts/index.ts";
import type { SessionService } from "../staff/index.ts";
import { readFreeBytes } from "./free-space.ts";
import type { CheckDeps } from "./going-live-checks.ts";
import { registerTillEnvironmentRoutes } from "./till-environment-routes.ts";
import { TillEnvironmentService } from "./till-environment-service.ts";

type Deps = Base &
  Omit<CheckDeps, "readFreeBytes"> & {
    backups: BackupService;
    sessions: SessionService;
    shifts: ShiftService;
    /** What the disk of the data has left; the disk itself is asked where nothing else is given. */
    readFreeBytes?: () => Promise<number | undefined>;
  };

export function createGoingLiveModule(deps: Deps) {
  const { config, sessions, shifts, shop } = deps;
  const tillEnvironment = new TillEnvironmentService({
    ...deps,
    readFreeBytes: deps.readFreeBytes ?? (() => readFreeBytes(config.dataDir)),
    countUnderWay: (scope) => shifts.countUnfinished(scope),
  });
  return {
    services: { tillEnvironment },
    pos: (app) => registerTillEnvironmentRoutes(app, { tillEnvironment, sessions, shop }),
  } satisfies Module;
}
