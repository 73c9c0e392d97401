import type { BackupService } from "../backups/index.ts";
import type { Base, Module } from "../module.ts";
import type { SettingsService } from "../settings/index.ts";
import type { ShiftService } from "../shifts/index.ts";
import type { SessionService } from "../staff/index.ts";
import { readFreeBytes } from "./free-space.ts";
import type { CheckDeps } from "./going-live-checks.ts";
import { NIGHTLY_CHECKS_JOB, NightlyChecks } from "./nightly-checks.ts";
import { registerTillEnvironmentRoutes } from "./till-environment-routes.ts";
import { TillEnvironmentService } from "./till-environment-service.ts";

type Deps = Base &
  Omit<CheckDeps, "readFreeBytes"> & {
    backups: BackupService;
    sessions: SessionService;
    shifts: ShiftService;
    settings: SettingsService;
    /** What the disk of the data has left; the disk itself is asked where nothing else is given. */
    readFreeBytes?: () => Promise<number | undefined>;
  };

export function createGoingLiveModule(deps: Deps) {
  const { config, sessions, shifts, shop } = deps;
  const freeBytes = deps.readFreeBytes ?? (() => readFreeBytes(config.dataDir));
  const tillEnvironment = new TillEnvironmentService({
    ...deps,
    readFreeBytes: freeBytes,
    countUnderWay: (scope) => shifts.countUnfinished(scope),
  });
  const nightly = new NightlyChecks({ ...deps, readFreeBytes: freeBytes });
  return {
    services: { tillEnvironment },
    jobs: [{ kind: NIGHTLY_CHECKS_JOB, run: (subject) => nightly.run(subject) }],
    recover: () => nightly.schedule(),
    pos: (app) => registerTillEnvironmentRoutes(app, { tillEnvironment, sessions, shop }),
  } satisfies Module;
}
