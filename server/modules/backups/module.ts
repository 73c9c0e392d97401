import type { Base, Module } from "../module.ts";
import { BackupDesk } from "./backup-desk.ts";
import { registerBackupRoutes } from "./backup-routes.ts";
import { BACKUP_JOB, BackupService } from "./backup-service.ts";

type Deps = Base & {
  background: ConstructorParameters<typeof BackupService>[0]["background"];
  /** Made every hour unless false. */
  automaticBackups?: boolean;
};

export function createBackupsModule({ automaticBackups = true, ...deps }: Deps) {
  const backups = new BackupService(deps);
  return {
    services: { backups },
    jobs: [{ kind: BACKUP_JOB, run: (subject) => backups.runJob(subject) }],
    async recover() {
      if (automaticBackups) await backups.schedule();
    },
  } satisfies Module;
}

type DeskDeps = Base & { backups: BackupService } & Omit<
    Parameters<typeof registerBackupRoutes>[1],
    "desk"
  > &
  Pick<ConstructorParameters<typeof BackupDesk>[0], "background">;

/** What an owner does with backups at a till, which takes a PIN. */
export function createBackupDeskModule(deps: DeskDeps) {
  const desk = new BackupDesk(deps);
  return {
    services: {},
    pos: (app) => registerBackupRoutes(app, { ...deps, desk }),
  } satisfies Module;
}
