import type { FileSealer } from "../../../lib/sealer.ts";
import type { Base, Module } from "../../module.ts";
import type { BackupDesk } from "./backup-desk.ts";
import type { registerBackupRoutes } from "./backup-routes.ts";
import { BACKUP_JOB, BackupService } from "./backup-service.ts";
import type { FirstRestore } from "./first-restore.ts";
import { RecoveryDesk } from "./recovery-desk.ts";
import { SECOND_PLACE_JOB, SecondBackupPlace } from "./second-place.ts";

export { copyShop, type FoundShop, lookAtShop } from "./adoption.ts";
export { type BackupCheck, verifyBackup } from "./backup-check.ts";
export { writeBackup } from "./backup-copy.ts";
export { findBackupOfNow, readOwnFacts } from "./backup-facts.ts";
export { type BackupFile, isRestoreUnfinished, listBackupFiles, partName } from "./backup-files.ts";
export type { BackupFacts } from "./backup-format.ts";
export { BackupService, readBackupState } from "./backup-service.ts";
export type { LookedInto } from "./backup-view.ts";
export type { RecoveryDesk } from "./recovery-desk.ts";
export { finishRestore, restoreAsAsked } from "./restore-request.ts";

/** Loads the restore code on demand, because most starts need no restore. */
export function loadRestore() {
  return import("./restore.ts");
}
export { findUnreadable, type Unreadable } from "./sealed-with.ts";
export type { SecondBackupPlace } from "./second-place.ts";

type Deps = Base & {
  keyFile: FileSealer;
  background: ConstructorParameters<typeof BackupService>[0]["background"] &
    ConstructorParameters<typeof SecondBackupPlace>[0]["background"];
  /** Whether the gateway makes hourly backups; default is true. */
  automaticBackups?: boolean;
};

export function createBackupsModule({ automaticBackups = true, ...deps }: Deps) {
  const secondPlace = new SecondBackupPlace(deps);
  const backups = new BackupService({ ...deps, noteMade: () => secondPlace.request() });
  const recovery = new RecoveryDesk(deps);
  return {
    services: { backups, secondPlace, recovery },
    jobs: [
      { kind: BACKUP_JOB, run: (subject) => backups.runJob(subject) },
      { kind: SECOND_PLACE_JOB, run: () => secondPlace.run(), concurrency: 1 },
    ],
    async recover() {
      if (automaticBackups) await backups.schedule();
    },
  } satisfies Module;
}

type DeskDeps = Base & {
  backups: BackupService;
  secondPlace: SecondBackupPlace;
  recovery: RecoveryDesk;
} & Omit<Parameters<typeof registerBackupRoutes>[1], "desk"> &
  Pick<ConstructorParameters<typeof BackupDesk>[0], "background"> &
  Pick<ConstructorParameters<typeof FirstRestore>[0], "background" | "openAgain">;

export function createBackupDeskModule(deps: DeskDeps) {
  return {
    services: {},
    async pos(app) {
      const { registerBackupRoutes, registerFirstRestoreRoutes } = await import(
        "./backup-routes.ts"
      );
      const { BackupDesk } = await import("./backup-desk.ts");
      const { FirstRestore } = await import("./first-restore.ts");
      registerBackupRoutes(app, { ...deps, desk: new BackupDesk(deps) });
      registerFirstRestoreRoutes(app, new FirstRestore(deps));
    },
  } satisfies Module;
}
