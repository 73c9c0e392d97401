import { Problem } from "../../../contract/problem.ts";
import { NO_ACCOUNT } from "../../../db/account-lock.ts";
import { type Db, openDatabaseFile, type Tx } from "../../../db/database.ts";
import { databaseFile } from "../../../db/database-files.ts";
import { enqueueJob } from "../../../jobs/job-store.ts";
import { HOUR } from "../../../lib/clock.ts";
import { describeStorageFault } from "../../../lib/storage-fault.ts";
import type { Base } from "../../module.ts";
import { type CopyThread, writeBackup } from "./backup-copy.ts";
import { type BackupFile, listBackupFiles } from "./backup-files.ts";

/** The job's subject is the reason for the backup. */
export const BACKUP_JOB = "backup.make";

const HOURLY = "hourly";
const INTERVAL_MS = HOUR;

interface Deps extends Pick<Base, "db" | "transactor" | "clock" | "ids" | "log"> {
  config: { dataDir: string; backupDir: string; database?: string | undefined };
  background: CopyThread;
  noteMade(): Promise<void>;
}

export interface BackupState {
  backups: BackupFile[];
  /** Reason why the last attempt failed; undefined after a success. */
  failure: string | undefined;
  /** Whether the database is on a server, whose administrator makes the backups. */
  isElsewhere: boolean;
}

/**
 * Makes verified backups of the database while it is in use, every hour and on request
 * (rules#backup-hourly). Only the first backup of a day is a full copy.
 */
export class BackupService {
  readonly #deps: Deps;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Requests a backup, which is made after the commit of the transaction.
   * @param subject the reason for the backup
   */
  async request(tx: Tx, subject: string): Promise<void> {
    if (this.#isElsewhere) return;
    await enqueueJob(tx, { kind: BACKUP_JOB, subject, runAt: this.#deps.clock.now() });
  }

  /** Ensures that the next hourly backup is due within an hour, even if the clock was changed. */
  async schedule(): Promise<void> {
    if (this.#isElsewhere) return;
    const { transactor, clock } = this.#deps;
    await transactor.transact(NO_ACCOUNT, async (tx) => {
      const job = await tx
        .selectFrom("jobs")
        .select("run_at")
        .where("kind", "=", BACKUP_JOB)
        .where("subject", "=", HOURLY)
        .executeTakeFirst();
      const latest = clock.now() + INTERVAL_MS;
      if (job && job.run_at <= latest) return;
      await enqueueJob(tx, { kind: BACKUP_JOB, subject: HOURLY, runAt: latest });
    });
  }

  async runJob(subject: string): Promise<void> {
    const { transactor, clock } = this.#deps;
    await this.make();
    if (subject !== HOURLY) return;
    // The interval starts now, so that a clock jump of a year causes only one backup.
    const runAt = clock.now() + INTERVAL_MS;
    await transactor.transact(NO_ACCOUNT, (tx) =>
      enqueueJob(tx, { kind: BACKUP_JOB, subject, runAt }),
    );
  }

  /**
   * Makes a verified backup now, and deletes expired backups.
   * @throws Problem SYSTEM_UNAVAILABLE with the reason; no copy remains
   */
  make(): Promise<BackupFile> {
    const made = this.#turn.then(() => this.#make());
    this.#turn = made.catch(() => undefined);
    return made;
  }

  async getState(): Promise<BackupState> {
    return {
      backups: await listBackupFiles(this.#deps.config.backupDir),
      failure: await findFailure(this.#deps.db),
      isElsewhere: this.#isElsewhere,
    };
  }

  get #isElsewhere(): boolean {
    return this.#deps.config.database !== undefined;
  }

  async #make(): Promise<BackupFile> {
    if (this.#isElsewhere) {
      throw new Problem(
        "SYSTEM_UNAVAILABLE",
        "No backup was made: this shop's database is on a PostgreSQL server, which is backed up by its own means, pg_dump or archived write-ahead logs.",
      );
    }
    const { log, config } = this.#deps;
    const dir = config.backupDir;
    try {
      const { notCleared, ...backup } = await writeBackup({
        ...this.#deps,
        dataDir: config.dataDir,
        dir,
      });
      if (notCleared !== undefined) {
        log.warn({ reason: notCleared }, "old backups were not removed");
      }
      await this.#deps.noteMade().catch((error: unknown) => {
        log.warn({ err: error }, "a backup could not be noted for the second place");
      });
      log.info({ file: backup.file, sizeBytes: backup.sizeBytes }, "made a backup");
      return backup;
    } catch (error) {
      const reason =
        describeStorageFault(error) ?? (error instanceof Error ? error.message : String(error));
      log.error({ err: error, dir }, "a backup could not be made");
      throw new Problem("SYSTEM_UNAVAILABLE", `No backup could be made in ${dir}: ${reason}.`);
    }
  }
}

/** Lists the backups and their state, even if the database is unusable. */
export async function readBackupState(config: Deps["config"]): Promise<BackupState> {
  const backups = await listBackupFiles(config.backupDir);
  let db: Db | undefined;
  try {
    db = openDatabaseFile(databaseFile(config.dataDir), "read");
    return { backups, failure: await findFailure(db), isElsewhere: false };
  } catch {
    return { backups, failure: undefined, isElsewhere: false };
  } finally {
    await db?.destroy();
  }
}

async function findFailure(db: Db): Promise<string | undefined> {
  const job = await db
    .selectFrom("jobs")
    .select("last_error")
    .where("kind", "=", BACKUP_JOB)
    .where("last_error", "is not", null)
    .executeTakeFirst();
  return job?.last_error ?? undefined;
}
