import type { PhoneService } from "../../catalog/phone-lookup/index.ts";
import type { Base, Module } from "../../module.ts";
import type { PurchaseService } from "../../purchases/purchases/index.ts";
import type { BackupService } from "../../safety/backups/index.ts";
import type { ShiftService } from "../../selling/shifts/index.ts";
import type { SettingsService } from "../../shop/settings/index.ts";
import type { SessionService } from "../../shop/staff/index.ts";
import { BackupTrialService } from "./backup-trial.ts";
import { ConfirmationService } from "./confirmation-service.ts";
import { FirstSaleService } from "./first-sale-service.ts";
import { readFreeBytes } from "./free-space.ts";
import type { CheckDeps } from "./going-live-checks.ts";
import { NIGHTLY_CHECKS_JOB, NightlyChecks } from "./nightly-checks.ts";
import { TillEnvironmentService } from "./till-environment-service.ts";

type Deps = Base &
  Omit<CheckDeps, "readFreeBytes" | "backupTrial"> & {
    backups: BackupService;
    sessions: SessionService;
    shifts: ShiftService;
    settings: SettingsService;
    background: ConstructorParameters<typeof BackupTrialService>[0]["background"];
    phones: PhoneService;
    purchases: PurchaseService;
    /** What the disk of the data has left; the disk itself is asked where nothing else is given. */
    readFreeBytes?: () => Promise<number | undefined>;
  };

export function createGoingLiveModule(deps: Deps) {
  const { config, sessions, shifts, shop } = deps;
  const freeBytes = deps.readFreeBytes ?? (() => readFreeBytes(config.dataDir));
  const backupTrial = new BackupTrialService(deps);
  const confirmations = new ConfirmationService(deps);
  const firstSale = new FirstSaleService(deps);
  const tillEnvironment = new TillEnvironmentService({
    ...deps,
    backupTrial,
    readFreeBytes: freeBytes,
    countUnderWay: (scope) => shifts.countUnfinished(scope),
  });
  const nightly = new NightlyChecks({ ...deps, backupTrial, readFreeBytes: freeBytes });
  return {
    services: { tillEnvironment },
    jobs: [{ kind: NIGHTLY_CHECKS_JOB, run: (subject) => nightly.run(subject) }],
    recover: () => nightly.schedule(),
    pos: async (app) =>
      (await import("./till-environment-routes.ts")).registerTillEnvironmentRoutes(app, {
        tillEnvironment,
        confirmations,
        backupTrial,
        firstSale,
        sessions,
        shop,
      }),
  } satisfies Module;
}
