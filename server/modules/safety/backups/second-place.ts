import { isAbsolute, relative, resolve } from "node:path";
import { Type } from "typebox";
import type { Author } from "../../../contract/pos/actor.ts";
import type { PosBackups } from "../../../contract/pos/backups.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { accountSetting, deleteSetting, readSetting, writeSetting } from "../../../db/settings.ts";
import { cancelJob, enqueueJob } from "../../../jobs/job-store.ts";
import { MINUTE, toTimestamp } from "../../../lib/clock.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import type { Base } from "../../module.ts";
import type { CopyOrder, CopyOutcome } from "./second-place-copy.ts";

export const SECOND_PLACE_JOB = "backup.second-place";
/** Interval of checks while the second place is missing or full. */
const AGAIN_MS = 10 * MINUTE;

interface PlaceThread {
  run(task: "markBackupPlace", of: { dir: string; owner: string }): Promise<string | undefined>;
  run(task: "copyBackups", order: CopyOrder): Promise<CopyOutcome>;
}

interface Deps extends Pick<Base, "accountId" | "db" | "transactor" | "clock" | "log"> {
  config: { dataDir: string; backupDir: string };
  background: PlaceThread;
}

type View = NonNullable<PosBackups["second"]>;

/** The second folder and its last known state. Times are in milliseconds. */
const SECOND_PLACE = accountSetting(
  "second_backup_place",
  Type.Object({
    dir: Type.String(),
    /** Number of backups that are not copied yet. */
    missing: Type.Integer(),
    copiedAt: Type.Optional(Type.Integer()),
    problem: Type.Optional(
      Type.Object({
        kind: Type.Enum(["AWAY", "FULL", "FAILED"]),
        message: Type.String(),
        at: Type.Integer(),
      }),
    ),
  }),
);

/** A second folder with a verified copy of every backup (rules#backup-second-place). */
export class SecondBackupPlace {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Returns the last known state without access to the folder, which may be on an unresponsive
   * network share.
   */
  async view(): Promise<View | undefined> {
    const place = await this.#find(this.#deps.db);
    if (!place) return undefined;
    const { copiedAt, problem, ...known } = place;
    return {
      ...known,
      ...(copiedAt !== undefined && { copiedAt: toTimestamp(copiedAt) }),
      ...(problem && { problem: { ...problem, at: toTimestamp(problem.at) } }),
    };
  }

  /**
   * Sets the folder, and starts to copy existing backups.
   * @throws Problem INVALID_REQUEST naming `dir`
   */
  async set({ accountId, staffId }: Author, typed: string): Promise<void> {
    const { transactor, clock, background, config } = this.#deps;
    const dir = resolve(typed);
    const refuse = (why: string) =>
      new Problem("INVALID_REQUEST", `${typed}: ${why}.`, { dir: why });
    if (!isAbsolute(typed)) throw refuse("it must begin where the disk begins, such as /mnt/stick");
    if (isInside(dir, config.dataDir) || isInside(dir, config.backupDir)) {
      throw refuse("it is where the database or its backups are already");
    }
    const fault = await background.run("markBackupPlace", { dir, owner: await this.#owner() });
    if (fault !== undefined) throw refuse(fault);
    const at = clock.now();
    await transactor.transact(accountId, async (tx) => {
      await writeSetting(tx, accountId, SECOND_PLACE, { dir, missing: 0 });
      const action = "backup.second-place";
      await recordAudit(tx, { accountId, staffId, action, subject: dir, at });
      await enqueueJob(tx, { kind: SECOND_PLACE_JOB, subject: accountId, runAt: at });
    });
  }

  async remove({ accountId, staffId }: Author): Promise<void> {
    const { transactor, clock } = this.#deps;
    await transactor.transact(accountId, async (tx) => {
      const place = await this.#find(tx);
      if (!place) return;
      await deleteSetting(tx, accountId, SECOND_PLACE);
      await cancelJob(tx, SECOND_PLACE_JOB, accountId);
      const action = "backup.no-second-place";
      await recordAudit(tx, { accountId, staffId, action, subject: place.dir, at: clock.now() });
    });
  }

  async request(): Promise<void> {
    const { transactor, clock, accountId } = this.#deps;
    await transactor.transact(accountId, async (tx) => {
      if (!(await this.#find(tx))) return;
      await enqueueJob(tx, { kind: SECOND_PLACE_JOB, subject: accountId, runAt: clock.now() });
    });
  }

  async run(): Promise<void> {
    const { accountId, db, transactor, clock, log, background, config } = this.#deps;
    const before = await this.#find(db);
    if (!before) return;
    const { dir } = before;
    const owner = await this.#owner();
    const order = { from: config.backupDir, to: dir, owner, now: clock.now() };
    const { copied, missing, problem } = await background.run("copyBackups", order);
    if (problem) {
      log.warn({ dir, problem, missing }, "backups could not be copied to the second place");
    }
    const at = clock.now();
    await transactor.transact(this.#deps.accountId, async (tx) => {
      const last = await this.#find(tx);
      if (last?.dir !== dir) return;
      const copiedAt = copied > 0 || !problem ? at : last.copiedAt;
      await writeSetting(tx, accountId, SECOND_PLACE, {
        dir,
        missing,
        ...(copiedAt !== undefined && { copiedAt }),
        ...(problem && { problem: { ...problem, at: last.problem?.at ?? at } }),
      });
      if (!problem && missing === 0) return;
      await enqueueJob(tx, { kind: SECOND_PLACE_JOB, subject: accountId, runAt: at + AGAIN_MS });
    });
  }

  /** Returns the shop's creation time, which identifies the shop on every machine. */
  async #owner(): Promise<string> {
    const { created_at } = await this.#deps.db
      .selectFrom("accounts")
      .select("created_at")
      .where("account_id", "=", this.#deps.accountId)
      .executeTakeFirstOrThrow();
    return `of the shop that began at ${toTimestamp(created_at)}`;
  }

  #find(db: Db | Tx) {
    return readSetting(db, this.#deps.accountId, SECOND_PLACE);
  }
}

function isInside(dir: string, other: string): boolean {
  const way = relative(other, dir);
  return !way.startsWith("..") && !isAbsolute(way);
}
