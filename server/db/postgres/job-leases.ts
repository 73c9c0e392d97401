import { type RawBuilder, sql } from "kysely";
import type { Db, Tx } from "../database.ts";
import { DATABASE_NOW } from "./claims.ts";

interface JobRow {
  kind: string;
  subject: string;
  revision: number;
}

const IS_FREE = sql<boolean>`(lease_until is null or lease_until <= ${DATABASE_NOW})`;

function isFreeFor(owner: string): RawBuilder<boolean> {
  return sql<boolean>`(${IS_FREE} or lease_owner = ${owner})`;
}

/** SQL condition: the job is of one of these kinds, and no other process has leased it. */
export function isTakeable(owner: string, kinds: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`${isFreeFor(owner)} and ${isOneOf(kinds)}`;
}

function isOneOf(kinds: readonly string[]): RawBuilder<boolean> {
  return kinds.length === 0 ? sql<boolean>`false` : sql<boolean>`kind in (${sql.join(kinds)})`;
}

/**
 * Leases jobs to an owner, except jobs that another owner has leased.
 * @returns revisions of the leased jobs
 */
export async function takeLeases(
  tx: Tx,
  owner: string,
  { jobs, lease_ms }: { jobs: readonly JobRow[]; lease_ms: number },
): Promise<Set<number>> {
  const keys = jobs.map((job) => sql`(${job.kind}, ${job.subject}, ${job.revision})`);
  const { rows } = await sql<{ revision: number }>`
    update jobs set lease_owner = ${owner}, lease_until = ${DATABASE_NOW} + ${sql.lit(lease_ms)}
    where ${unlocked(sql`(kind, subject, revision) in (${sql.join(keys)}) and ${isFreeFor(owner)}`)}
    returning revision`.execute(tx);
  return new Set(rows.map(({ revision }) => revision));
}

export async function extendLeases(
  tx: Tx,
  owner: string,
  { revisions, lease_ms }: { revisions: ReadonlySet<number>; lease_ms: number },
): Promise<void> {
  if (revisions.size === 0) return;
  const isAmong = sql`lease_owner = ${owner} and revision in (${sql.join([...revisions])})`;
  await sql`
    update jobs set lease_until = ${DATABASE_NOW} + ${sql.lit(lease_ms)}
    where ${unlocked(isAmong)}`.execute(tx);
}

export async function hasLease(
  db: Db,
  owner: string,
  { kind, subject, revision }: JobRow,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from jobs where kind = ${kind} and subject = ${subject} and revision = ${revision}
      and lease_owner = ${owner} and not ${IS_FREE}`.execute(db);
  return rows.length > 0;
}

/** Releases the leases of all owners with this prefix. */
export async function releaseLeases(tx: Tx, beginning: string): Promise<void> {
  await sql`
    update jobs set lease_owner = null, lease_until = null
    where ${unlocked(sql`substr(lease_owner, 1, ${sql.lit(beginning.length)}) = ${beginning}`)}`.execute(
    tx,
  );
}

/**
 * Returns the milliseconds until a due job of these kinds becomes free because the lease of another
 * owner ends; null if there is no such lease.
 */
export async function findLeaseWait(
  db: Db,
  { owner, kinds }: { owner: string; kinds: readonly string[] },
  now: number,
): Promise<number | null> {
  const { rows } = await sql<{ wait: number | null }>`
    select min(lease_until) - ${DATABASE_NOW} as wait from jobs
    where run_at <= ${now} and lease_owner <> ${owner} and ${isOneOf(kinds)}`.execute(db);
  return rows[0]?.wait ?? null;
}

/**
 * SQL condition: the job matches, and no other transaction is writing it. The selection does not
 * wait for locks.
 */
function unlocked(condition: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(kind, subject) in (
    select kind, subject from jobs where ${condition} for update skip locked)`;
}
