import { type RawBuilder, sql } from "kysely";
import type { Db, Tx } from "../database.ts";
import { DATABASE_NOW } from "./claims.ts";

/** The row of a job as it was read. */
interface JobRow {
  kind: string;
  subject: string;
  revision: number;
}

/** Matches jobs that no process has. */
const IS_FREE = sql<boolean>`(lease_until is null or lease_until <= ${DATABASE_NOW})`;

/** Matches those, and jobs that an owner already has. */
function isFreeFor(owner: string): RawBuilder<boolean> {
  return sql<boolean>`(${IS_FREE} or lease_owner = ${owner})`;
}

/** Matches jobs of these kinds that no other process has. */
export function isTakeable(owner: string, kinds: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`${isFreeFor(owner)} and ${isOneOf(kinds)}`;
}

function isOneOf(kinds: readonly string[]): RawBuilder<boolean> {
  return kinds.length === 0 ? sql<boolean>`false` : sql<boolean>`kind in (${sql.join(kinds)})`;
}

/** Gives an owner those of the jobs that no other has, for this time. @returns their revisions */
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

/** Extends an owner's leases on jobs of these revisions. */
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

/** Returns whether an owner still has a job. */
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

/** Releases the jobs of all owners with this prefix. */
export async function releaseLeases(tx: Tx, beginning: string): Promise<void> {
  await sql`
    update jobs set lease_owner = null, lease_until = null
    where ${unlocked(sql`substr(lease_owner, 1, ${sql.lit(beginning.length)}) = ${beginning}`)}`.execute(
    tx,
  );
}

/** Returns the milliseconds until the first lease of another owner on a due job of these kinds ends; null for none. */
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

/** Selects the matching jobs without those that are being written, so that it waits for nothing. */
function unlocked(condition: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(kind, subject) in (
    select kind, subject from jobs where ${condition} for update skip locked)`;
}
