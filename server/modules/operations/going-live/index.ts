import type { PhoneService } from "../../catalog/phone-lookup/index.ts";
import type { Base, Module } from "../../module.ts";
import type { PurchaseService } from "../../purchases/purchases/index.ts";
import type { BackupService } from "../../safety/backups/index.ts";
import type { ShiftService } from "../../selling/shifts/index.ts";
import type { SettingsService } from "../../shop/settings/index.ts";
import type { SessionService } from "../../shop/staff/index.ts";
import { BackupTrialService } from "./backup-trial.ts";
import { FirstSaleService } from "./first-sale-service.ts";
import type { CheckDeps } from "./going-live-checks.ts";
import { NIGHTLY_CHECKS_JOB, NightlyChecks } from "./nightly-checks.ts";
import { TillEnvironmentService } from "./till-environment-service.ts";

export { isRateRecent } from "./going-live-checks.ts";
export { readTurnedRed } from "./going-live-store.ts";

type GoingLiveDeps = Base &
  Omit<CheckDeps, "backupTrial"> & {
    backups: BackupService;
    sessions: SessionService;
    shifts: ShiftService;
    settings: SettingsService;
    background: ConstructorParameters<typeof BackupTrialService>[0]["background"];
    phones: PhoneService;
    purchases: PurchaseService;
  };

export function createGoingLiveModule(deps: GoingLiveDeps) {
  const backupTrial = new BackupTrialService(deps);
  const firstSale = new FirstSaleService(deps);
  const tillEnvironment = new TillEnvironmentService({ ...deps, backupTrial });
  const nightly = new NightlyChecks({ ...deps, backupTrial });
  return {
    services: { tillEnvironment },
    jobs: [{ kind: NIGHTLY_CHECKS_JOB, run: (subject) => nightly.run(subject) }],
    recover: () => nightly.schedule(),
    pos: async (app) =>
      (await import("./till-environment-routes.ts")).registerTillEnvironmentRoutes(app, {
        tillEnvironment,
        backupTrial,
        firstSale,
        sessions: deps.sessions,
        shop: deps.shop,
      }),
  } satisfies Module;
}
