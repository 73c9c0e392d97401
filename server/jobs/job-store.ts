import { sql } from "kysely";
import type { Db, Tx } from "../db/database.ts";

/** Something to be done to a subject, not before `runAt`. One job for each kind and subject. */
export interface Job {
  kind: string;
  subject: string;
  runAt: number;
  attempts: number;
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

/** Takes up to `limit` due jobs for one run, oldest first. */
export async function leaseDueJobs(
  tx: Tx,
  run: { now: number; lease: string; limit: number },
): Promise<LeasedJob[]> {
  const rows = await tx
    .updateTable("jobs")
    .set({ lease: run.lease })
    .where(
      sql<boolean>`(kind, subject) in (
        select kind, subject from jobs
        where lease is null and run_at <= ${run.now}
        order by run_at limit ${run.limit})`,
    )
    .returning(["kind", "subject", "run_at", "attempts"])
    .execute();
  return rows
    .map((row) => ({
      kind: row.kind,
      subject: row.subject,
      runAt: row.run_at,
      attempts: row.attempts,
      lease: run.lease,
    }))
    .sort((a, b) => a.runAt - b.runAt);
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
export async function failJob(
  tx: Tx,
  job: LeasedJob,
  failure: { error: string; retryAt: number },
): Promise<void> {
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

/** When the next job is due, undefined when there is none. */
export async function findNextRunAt(db: Db): Promise<number | undefined> {
  const row = await db
    .selectFrom("jobs")
    .select("run_at")
    .where("lease", "is", null)
    .orderBy("run_at")
    .limit(1)
    .executeTakeFirst();
  return row?.run_at;
}

/** Frees what a process that is gone had leased. Only one gateway runs on a database. */
export async function releaseLeases(tx: Tx): Promise<void> {
  await tx.updateTable("jobs").set({ lease: null }).where("lease", "is not", null).execute();
}
