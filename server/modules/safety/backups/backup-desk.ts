import { join } from "node:path";
import type { Author } from "../../../contract/pos/actor.ts";
import type { AuditAction } from "../../../contract/pos/audit-trail.ts";
import type {
  BackupAbout,
  BackupWork,
  BackupWorkInput,
  BackupWorkKind,
  PosBackups,
  RestoreInput,
} from "../../../contract/pos/backups.ts";
import { Problem } from "../../../contract/problem.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import type { Base } from "../../module.ts";
import type { BackupCheck, BackupSource } from "./backup-check.ts";
import { type BackupFile, isIncrementName, isUnsignedName, partName } from "./backup-files.ts";
import type { BackupFacts } from "./backup-format.ts";
import type { BackupService } from "./backup-service.ts";
import type { LookedInto } from "./backup-view.ts";
import type { RecoveryDesk } from "./recovery-desk.ts";
import {
  findRestoreRequest,
  toRestoreView,
  withdrawRestoreRequest,
  writeRestoreRequest,
} from "./restore-request.ts";
import type { SecondBackupPlace } from "./second-place.ts";

interface ReadThread {
  run(task: "verifyBackup", of: BackupSource & { scratch: string }): Promise<BackupCheck>;
  run(task: "lookIntoBackup", of: BackupSource & { scratch: string }): Promise<LookedInto>;
}

interface Deps extends Pick<Base, "transactor" | "clock" | "ids"> {
  config: { dataDir: string; backupDir: string };
  background: ReadThread;
  backups: BackupService;
  secondPlace: SecondBackupPlace;
  recovery: RecoveryDesk;
}

const ACTIONS: Record<BackupWorkKind, AuditAction> = {
  MAKE: "backup.make",
  VERIFY: "backup.verify",
  LOOK: "backup.look",
};

/** Performs an owner's backup tasks, one at a time, while the shop sells. */
export class BackupDesk {
  readonly #deps: Deps;
  #work: BackupWork | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async view(staffId: string): Promise<PosBackups> {
    const { backups, config, secondPlace, recovery } = this.#deps;
    const kits = await recovery.findKits();
    const review = await recovery.viewReview(staffId);
    const second = await secondPlace.view();
    const { backups: list, failure } = await backups.getState();
    const request = await findRestoreRequest(config.dataDir);
    return {
      dir: config.backupDir,
      list: list.map(({ name, takenAt, sizeBytes }) => ({
        name,
        takenAt: toTimestamp(takenAt),
        sizeBytes,
        ...(isUnsignedName(name) && { isUnsigned: true }),
        ...(isIncrementName(name) && { isIncrement: true }),
      })),
      ...(kits.confirmed && { kit: { madeAt: toTimestamp(kits.confirmed.madeAt) } }),
      ...(kits.draft && {
        draftKit: { kitId: kits.draft.kitId, madeAt: toTimestamp(kits.draft.madeAt) },
      }),
      ...(review && { review }),
      ...(failure !== undefined && { failure }),
      ...(this.#work && { work: this.#work }),
      ...(second && { second }),
      ...(request && { restore: toRestoreView(request) }),
    };
  }

  /**
   * Starts a task in the background. `view` returns its outcome.
   * @throws Problem NOT_FOUND; INVALID_REQUEST for `name` if no name is given, or for `kind` while
   * another task runs
   */
  async begin(author: Author, { kind, name }: BackupWorkInput): Promise<void> {
    const file = kind === "MAKE" ? undefined : await this.#find(name);
    if (this.#work?.state === "RUNNING") {
      throw new Problem("INVALID_REQUEST", "Another backup is being worked on. Wait for its end.", {
        kind: "must wait for the work that is under way",
      });
    }
    const began: BackupWork = {
      kind,
      ...(file && { name: file.name }),
      state: "RUNNING",
      beganAt: toTimestamp(this.#deps.clock.now()),
    };
    this.#work = began;
    await this.#record(author, ACTIONS[kind], file?.name ?? "");
    void this.#run(kind, file).then(
      (found) => this.#end(began, { state: "DONE", ...found }),
      (error: unknown) =>
        this.#end(began, {
          state: "FAILED",
          failure: error instanceof Error ? error.message : String(error),
        }),
    );
  }

  /**
   * Requests that the next start restores a backup. The caller has verified the PIN.
   * @throws Problem NOT_FOUND
   */
  async askRestore(
    author: Author,
    { name, acceptUnsigned }: Pick<RestoreInput, "name" | "acceptUnsigned">,
  ): Promise<void> {
    await this.#find(name);
    await this.#record(author, "backup.restore-ask", name);
    const { config, clock } = this.#deps;
    await writeRestoreRequest(config.dataDir, {
      name,
      askedAt: clock.now(),
      ...(acceptUnsigned && { acceptUnsigned }),
    });
  }

  async withdrawRestore(author: Author): Promise<void> {
    const { dataDir } = this.#deps.config;
    const request = await findRestoreRequest(dataDir);
    if (!request) return;
    await withdrawRestoreRequest(dataDir);
    await this.#record(author, "backup.restore-withdraw", request.name);
  }

  async #run(kind: BackupWorkKind, of: BackupFile | undefined): Promise<Partial<BackupWork>> {
    const { backups, background, config, ids } = this.#deps;
    if (!of) return { name: (await backups.make()).name, problems: [] };
    const { file } = of;
    const { dataDir } = config;
    const order = { file, dataDir, scratch: join(dataDir, partName(ids.uuid())) };
    if (kind === "VERIFY") {
      const { facts, fault, ...check } = await background.run("verifyBackup", order);
      return { ...check, ...(fault && { fault }), ...(facts && { about: toAbout(facts) }) };
    }
    const looked = await background.run("lookIntoBackup", order);
    const { facts, problems, fault, view, isUnsigned } = looked;
    return {
      problems,
      ...(fault && { fault }),
      ...(view && { view }),
      ...(isUnsigned && { isUnsigned }),
      ...(facts && { about: toAbout(facts) }),
    };
  }

  #end(began: BackupWork, outcome: Partial<BackupWork>): void {
    this.#work = { ...began, ...outcome, endedAt: toTimestamp(this.#deps.clock.now()) };
  }

  async #find(name: string | undefined): Promise<BackupFile> {
    if (name === undefined) {
      throw new Problem("INVALID_REQUEST", "Say which backup.", { name: "is required" });
    }
    const { backups } = await this.#deps.backups.getState();
    const found = backups.find((backup) => backup.name === name);
    if (!found) throw new Problem("NOT_FOUND", `There is no backup ${name}.`);
    return found;
  }

  async #record({ accountId, staffId }: Author, action: AuditAction, subject: string) {
    const { transactor, clock } = this.#deps;
    await transactor.transact(accountId, (tx) =>
      recordAudit(tx, { accountId, staffId, action, subject, at: clock.now() }),
    );
  }
}

export function toAbout({ shopName, environment, engine, takenAt }: BackupFacts): BackupAbout {
  const at = toTimestamp(takenAt);
  return { shopName, ...(environment && { environment }), engine, takenAt: at };
}
