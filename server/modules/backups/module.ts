import type { Base, Module } from "../module.ts";
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
