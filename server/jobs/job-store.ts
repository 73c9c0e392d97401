import { sql } from "kysely";
import type { Db, Tx } from "../db/database.ts";

/** Something to be done to a subject, not before `runAt`. One job for each kind and subject. */
export interface Job {
  kind: string;
  subject: string;
  runAt: number;
  attempts: number;
}

/** Why a job failed, and when it is worth another attempt. */
export interface JobFailure {
  error: string;
  retryAt: number;
}

export interface LeasedJob extends Job {
  lease: string;
}

/** Makes the job, or moves it to `runAt` where it exists: the new deadline replaces the old. */
export async function enqueueJob(
  tx: Tx,
  job: { kind: string; subject: string; runAt: number },
): Promise<void> {
  const fresh = { run_at: job.runAt, attempts: 0, last_error: null, lease: null };
  await tx
    .insertInto("jobs")
    .values({ kind: job.kind, subject: job.subject, ...fresh })
    .onConflict((conflict) => conflict.columns(["kind", "subject"]).doUpdateSet(fresh))
    .execute();
}

export async function cancelJob(tx: Tx, kind: string, subject: string): Promise<void> {
  await tx.deleteFrom("jobs").where("kind", "=", kind).where("subject", "=", subject).execute();
}

/** Jobs that share room: those of a kind whose subjects begin alike. */
export interface Lane {
  kind: string;
  /** Empty where a kind is one lane. */
  prefix: string;
}

function outside(lanes: readonly Lane[]) {
  const conditions = lanes.map(
    ({ kind, prefix }) =>
      sql<boolean>`not (kind = ${kind} and substr(subject, 1, ${prefix.length}) = ${prefix})`,
  );
  return conditions.length === 0
    ? sql<boolean>`true`
    : sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

/** Due jobs that nobody has and that are in none of the lanes `without`, oldest first. */
export async function listDueJobs(
  db: Db | Tx,
  { now, limit }: { now: number; limit: number },
  without: readonly Lane[],
): Promise<Job[]> {
  const rows = await db
    .selectFrom("jobs")
    .select(["kind", "subject", "run_at as runAt", "attempts"])
    .where("lease", "is", null)
    .where("run_at", "<=", now)
    .where(outside(without))
    .orderBy("run_at")
    .limit(limit)
    .execute();
  return rows;
}

/** Takes jobs for one run. */
export async function leaseJobs(tx: Tx, lease: string, jobs: Job[]): Promise<LeasedJob[]> {
  if (jobs.length === 0) return [];
  const keys = sql.join(jobs.map(({ kind, subject }) => sql`(${kind}, ${subject})`));
  await tx
    .updateTable("jobs")
    .set({ lease })
    .where(sql<boolean>`(kind, subject) in (values ${keys})`)
    .execute();
  return jobs.map((job) => ({ ...job, lease }));
}

/** Whether a job is still that of the run which took it. */
export async function isLeased(db: Db, job: LeasedJob): Promise<boolean> {
  const row = await db
    .selectFrom("jobs")
    .select("lease")
    .where("kind", "=", job.kind)
    .where("subject", "=", job.subject)
    .executeTakeFirst();
  return row?.lease === job.lease;
}

/** Removes a job that has run, unless its handler gave it a new deadline meanwhile. */
export async function finishJob(tx: Tx, job: LeasedJob): Promise<void> {
  await tx
    .deleteFrom("jobs")
    .where("kind", "=", job.kind)
    .where("subject", "=", job.subject)
    .where("lease", "=", job.lease)
    .execute();
}

/** Puts a job back after its handler threw, to be run again at `retryAt`. */
export async function failJob(tx: Tx, job: LeasedJob, failure: JobFailure): Promise<void> {
  await tx
    .updateTable("jobs")
    .set({
      lease: null,
      run_at: failure.retryAt,
      attempts: job.attempts + 1,
      last_error: failure.error,
    })
    .where("kind", "=", job.kind)
    .where("subject", "=", job.subject)
    .where("lease", "=", job.lease)
    .execute();
}

/** Moves the jobs that are due after an instant nearer. */
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

/** When the next job outside the lanes `without` is due, undefined when there is none. */
export async function findNextRunAt(db: Db, without: readonly Lane[]): Promise<number | undefined> {
  const row = await db
    .selectFrom("jobs")
    .select("run_at")
    .where("lease", "is", null)
    .where(outside(without))
    .orderBy("run_at")
    .limit(1)
    .executeTakeFirst();
  return row?.run_at;
}

/** Frees what a process that is gone had leased. Only one gateway runs on a database. */
export async function releaseLeases(tx: Tx): Promise<void> {
  await tx.updateTable("jobs").set({ lease: null }).where("lease", "is not", null).execute();
}
