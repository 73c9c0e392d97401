import { type RawBuilder, sql } from "kysely";
import { compileOnce } from "../db/compiled-query.ts";
import type { Db, Tx } from "../db/database.ts";
import { randomUpTo } from "../db/engine-words.ts";
import { noteInTransaction } from "../db/transaction-scope.ts";
import { writeBehind } from "../db/write-behind.ts";

/** An action on a subject, due at `runAt`. Each kind and subject has at most one job. */
export interface Job {
  kind: string;
  subject: string;
  runAt: number;
  attempts: number;
  /** Random number, new each time the job is enqueued. */
  revision: number;
}

/**
 * A transaction's note that it changed a job's deadline; `runAt` is undefined for a cancelled job.
 */
export class JobNote {
  readonly kind: string;
  readonly subject: string;
  readonly runAt: number | undefined;

  constructor(job: { kind: string; subject: string; runAt?: number }) {
    this.kind = job.kind;
    this.subject = job.subject;
    this.runAt = job.runAt;
  }
}

export interface JobFailure {
  error: string;
  retryAt: number;
}

/**
 * Maximum revision. Random numbers of this range practically never repeat, and are exact in
 * JavaScript.
 */
const LARGEST_REVISION = 2 ** 48 - 1;

export async function enqueueJob(
  tx: Tx,
  job: { kind: string; subject: string; runAt: number },
): Promise<void> {
  const { kind, subject, runAt } = job;
  await writeBehind(tx, upsertJob(tx, { kind, subject, runAt }));
  noteInTransaction(new JobNote(job));
}

const upsertJob = compileOnce<Pick<Job, "kind" | "subject" | "runAt">, unknown>((db, param) => {
  const revision = randomUpTo(LARGEST_REVISION);
  const fresh = { run_at: param("runAt"), attempts: 0, last_error: null, revision };
  const nobody = { lease_owner: null, lease_until: null };
  return db
    .insertInto("jobs")
    .values({ kind: param("kind"), subject: param("subject"), ...fresh })
    .onConflict((conflict) =>
      conflict.columns(["kind", "subject"]).doUpdateSet((eb) => ({
        run_at: eb.ref("excluded.run_at"),
        attempts: eb.ref("excluded.attempts"),
        last_error: eb.ref("excluded.last_error"),
        revision: eb.ref("excluded.revision"),
        ...nobody,
      })),
    );
});

export async function cancelJob(tx: Tx, kind: string, subject: string): Promise<void> {
  await writeBehind(tx, deleteJob(tx, { kind, subject }));
  noteInTransaction(new JobNote({ kind, subject }));
}

const deleteJob = compileOnce<Pick<Job, "kind" | "subject">, unknown>((db, param) =>
  db.deleteFrom("jobs").where("kind", "=", param("kind")).where("subject", "=", param("subject")),
);

export interface Lane {
  kind: string;
  /** Prefix of the subjects; empty if all jobs of the kind share a lane. */
  prefix: string;
}

function outside(lanes: readonly Lane[]) {
  const conditions = lanes.map(
    ({ kind, prefix }) =>
      sql<boolean>`not (kind = ${kind} and substr(subject, 1, ${prefix.length}) = ${prefix})`,
  );
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

/**
 * Lists the jobs that are not in the lanes `without`, the earliest due first.
 * @param free matches jobs that no other process holds
 */
export async function listNextJobs(
  db: Db | Tx,
  limit: number,
  { without, free }: { without: readonly Lane[]; free: RawBuilder<boolean> | undefined },
): Promise<Job[]> {
  if (without.length === 0 && !free) return (await selectNext(db, { limit })).rows;
  return buildNext(db, limit)
    .$if(without.length > 0, (query) => query.where(outside(without)))
    .where(free ?? sql<boolean>`true`)
    .execute();
}

export async function findNextJob(db: Db, kinds: readonly string[]): Promise<number | undefined> {
  const row = await db
    .selectFrom("jobs")
    .select(({ fn }) => fn.min<number | null>("run_at").as("next"))
    .where("kind", "in", kinds)
    .executeTakeFirst();
  return row?.next ?? undefined;
}

/** Returns whether at least `count` jobs are due by a time. */
export async function hasJobsDue(db: Db, by: number, count: number): Promise<boolean> {
  const row = await db
    .selectFrom("jobs")
    .select("run_at")
    .where("run_at", "<=", by)
    .orderBy("run_at")
    .limit(1)
    .offset(count - 1)
    .executeTakeFirst();
  return row !== undefined;
}

const selectNext = compileOnce<{ limit: number }, Job>((db, param) =>
  buildNext(db, param("limit")),
);

function buildNext(db: Db | Tx, limit: number) {
  return db
    .selectFrom("jobs")
    .select(["kind", "subject", "run_at as runAt", "attempts", "revision"])
    .orderBy("run_at")
    .limit(limit);
}

/**
 * Deletes a job that has run, unless its handler enqueued it again.
 * @param owner required lease holder; undefined without leases
 */
export async function finishJob(tx: Tx, job: Job, owner: string | undefined): Promise<void> {
  await tx
    .deleteFrom("jobs")
    .where("kind", "=", job.kind)
    .where("subject", "=", job.subject)
    .where("revision", "=", job.revision)
    .where(isHeldBy(owner))
    .execute();
}

/** @param owner undefined without leases: each job matches */
function isHeldBy(owner: string | undefined) {
  return owner === undefined ? sql<boolean>`true` : sql<boolean>`lease_owner = ${owner}`;
}

export async function failJob(
  tx: Tx,
  job: Job,
  { error, retryAt, owner }: JobFailure & { owner: string | undefined },
): Promise<void> {
  await tx
    .updateTable("jobs")
    .set({
      run_at: retryAt,
      attempts: job.attempts + 1,
      last_error: error,
      ...(owner !== undefined && { lease_owner: null, lease_until: null }),
    })
    .where("kind", "=", job.kind)
    .where("subject", "=", job.subject)
    .where("revision", "=", job.revision)
    .where(isHeldBy(owner))
    .execute();
  noteInTransaction(new JobNote({ ...job, runAt: retryAt }));
}

/** Writes a row unchanged. Throws if the database cannot be written. */
export async function rewriteJob(tx: Tx, { kind, subject }: Job): Promise<void> {
  await tx
    .updateTable("jobs")
    .set((row) => ({ attempts: row.ref("attempts") }))
    .where("kind", "=", kind)
    .where("subject", "=", subject)
    .execute();
}

export async function pullJobs(
  tx: Tx,
  { after, by }: { after: number; by: number },
): Promise<void> {
  await tx
    .updateTable("jobs")
    .set((row) => ({ run_at: row("run_at", "-", by) }))
    .where("run_at", ">", after)
    .execute();
}
