import { join } from "node:path";
import type { Author } from "../../../contract/pos/actor.ts";
import type { BackupTrial } from "../../../contract/pos/till-environment.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import type { Base } from "../../module.ts";
import { type BackupService, type LookedInto, partName } from "../../safety/backups/index.ts";
import { writeNote } from "./going-live-store.ts";

interface BackupTrialServiceDeps extends Pick<Base, "transactor" | "clock" | "ids"> {
  config: { dataDir: string };
  backups: BackupService;
  background: {
    run(
      task: "lookIntoBackup",
      of: { file: string; dataDir: string; scratch: string },
    ): Promise<LookedInto>;
  };
}

/**
 * Makes a backup and restores it to a temporary file, which is opened, audited and deleted
 * (rules#live-backup-trial).
 */
export class BackupTrialService {
  readonly #deps: BackupTrialServiceDeps;
  #trial: BackupTrial | undefined;

  constructor(deps: BackupTrialServiceDeps) {
    this.#deps = deps;
  }

  /** State of the trial; undefined unless a trial is running or the last trial failed. */
  get state(): BackupTrial | undefined {
    return this.#trial;
  }

  /** Does nothing while a trial is running. */
  start(author: Author & { staffId: string }): void {
    if (this.#trial?.state === "RUNNING") return;
    this.#trial = { state: "RUNNING" };
    void this.#run(author).then(
      () => {
        this.#trial = undefined;
      },
      (error: unknown) => {
        const failure = error instanceof Error ? error.message : String(error);
        this.#trial = { state: "FAILED", failure };
      },
    );
  }

  async #run({ accountId, staffId }: Author & { staffId: string }): Promise<void> {
    const { transactor, clock, ids, config, backups, background } = this.#deps;
    const { file, name } = await backups.make();
    const { dataDir } = config;
    const scratch = join(dataDir, partName(ids.uuid()));
    const { problems, view } = await background.run("lookIntoBackup", { file, dataDir, scratch });
    if (problems.length > 0 || !view) throw new Error(problems.join("; "));
    await transactor.transact(accountId, async (tx) => {
      const at = clock.now();
      const detail = { name, sales: view.sales };
      await writeNote(tx, accountId, "BACKUP_RESTORED", { at, staffId, detail });
      const entry = { accountId, staffId, action: "till.checked" as const, subject: accountId };
      await recordAudit(tx, { ...entry, detail: { what: "BACKUP_RESTORED", name }, at });
    });
  }
}
