import { type RawBuilder, sql } from "kysely";
import type { Environment } from "../../contract/common.ts";
import type { Scope } from "../changes.ts";
import type { Db, Tx } from "../database.ts";

/** Current time of the database server, whose clock all processes share. */
export const DATABASE_NOW = sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;

export function claimEnd(lease_ms: number): RawBuilder<number> {
  return sql<number>`${DATABASE_NOW} + ${sql.lit(lease_ms)}`;
}

/**
 * Tables with `sent_by` and `sent_until`, and the column that identifies a row within its scope.
 */
const IDS = { purchases: "transaction_id", webhook_deliveries: "delivery_id" } as const;

type ClaimedTable = keyof typeof IDS;

export interface ClaimedRow extends Scope {
  id: string;
}

export function isClaimed(table: ClaimedTable): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(`${table}.sent_until`)} > ${DATABASE_NOW})`;
}

/**
 * Claims a row for an owner, unless another owner has claimed it.
 * @returns whether the owner now has the claim
 */
export function takeClaim(
  tx: Tx,
  table: ClaimedTable,
  row: ClaimedRow,
  { owner, lease_ms }: { owner: string; lease_ms: number },
): Promise<boolean> {
  const claim = { by: owner, until: claimEnd(lease_ms) };
  return update(tx, table, { row, claim, where: isFreeFor(table, sql`sent_by = ${owner}`) });
}

/**
 * Releases the owner's claim on a row.
 * @returns whether the owner had the claim
 */
export function endClaim(
  tx: Tx,
  table: ClaimedTable,
  row: ClaimedRow,
  owner: string,
): Promise<boolean> {
  return update(tx, table, { row, claim: NOBODY, where: sql`sent_by = ${owner}` });
}

/**
 * Ends the claim of a former owner on a row. Does nothing if another live process has the claim.
 * @param beginning prefix of the owners that no longer run
 */
export async function abandonClaim(
  tx: Tx,
  table: ClaimedTable,
  row: ClaimedRow,
  beginning: string,
): Promise<void> {
  const where = isFreeFor(table, beginsSo(beginning));
  await update(tx, table, { row, claim: { by: null, until: 0 }, where });
}

/**
 * Ends all claims of owners that no longer run.
 * @param beginning prefix of these owners
 */
export async function freeClaims(tx: Tx, table: ClaimedTable, beginning: string): Promise<void> {
  await sql`
    update ${sql.table(table)} set sent_by = null, sent_until = null
    where sent_until is not null and ${beginsSo(beginning)}`.execute(tx);
}

/**
 * Extends the owner's claims that have not expired. Skips rows that another transaction is writing.
 */
export async function extendClaims(
  tx: Tx,
  table: ClaimedTable,
  rows: readonly ClaimedRow[],
  { owner, lease_ms }: { owner: string; lease_ms: number },
): Promise<void> {
  if (rows.length === 0) return;
  const key = sql`(account_id, environment, ${sql.ref(IDS[table])})`;
  await sql`
    update ${sql.table(table)} set sent_until = ${claimEnd(lease_ms)}
    where ${key} in (
      select account_id, environment, ${sql.ref(IDS[table])} from ${sql.table(table)}
      where ${key} in (${sql.join(rows.map(toKey))}) and sent_by = ${owner} and ${isClaimed(table)}
      for update skip locked)`.execute(tx);
}

/** Returns the ids of the rows that the owner has claimed. */
export async function findOwnClaims(
  db: Db,
  table: ClaimedTable,
  rows: readonly ClaimedRow[],
  owner: string,
): Promise<ClaimedRow[]> {
  const id = sql.ref(IDS[table]);
  const found = await sql<{ accountId: string; environment: Environment; id: string }>`
    select account_id as "accountId", environment, ${id} as id from ${sql.table(table)}
    where (account_id, environment, ${id}) in (${sql.join(rows.map(toKey))})
      and sent_by = ${owner} and ${isClaimed(table)}`.execute(db);
  return found.rows;
}

/**
 * Returns the owner of a row, and the milliseconds until the claim expires;
 * undefined if the row is free.
 */
export async function findClaim(
  db: Db,
  table: ClaimedTable,
  row: ClaimedRow,
): Promise<{ owner: string | null; endsIn_ms: number } | undefined> {
  const { rows } = await sql<{ owner: string | null; endsIn_ms: number | null }>`
    select sent_by as owner, sent_until - ${DATABASE_NOW} as "endsIn_ms"
    from ${sql.table(table)} where ${isRow(table, row)}`.execute(db);
  const [found] = rows;
  return found && found.endsIn_ms !== null
    ? { owner: found.owner, endsIn_ms: found.endsIn_ms }
    : undefined;
}

interface Claim {
  by: string | null;
  until: RawBuilder<number> | number | null;
}

const NOBODY: Claim = { by: null, until: null };

async function update(
  tx: Tx,
  table: ClaimedTable,
  { row, claim, where }: { row: ClaimedRow; claim: Claim; where: RawBuilder<unknown> },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set sent_by = ${claim.by}, sent_until = ${claim.until}
    where ${isRow(table, row)} and ${where}`.execute(tx);
  return numAffectedRows === 1n;
}

function toKey({ accountId, environment, id }: ClaimedRow) {
  return sql`(${accountId}, ${environment}, ${id})`;
}

function isRow(table: ClaimedTable, { accountId, environment, id }: ClaimedRow) {
  return sql`account_id = ${accountId} and environment = ${environment}
    and ${sql.ref(IDS[table])} = ${id}`;
}

/** SQL condition: the row is unclaimed, or claimed by one of these owners. */
function isFreeFor(table: ClaimedTable, owners: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(sent_until is null or not ${isClaimed(table)} or ${owners})`;
}

function beginsSo(beginning: string): RawBuilder<boolean> {
  return sql<boolean>`substr(sent_by, 1, ${sql.lit(beginning.length)}) = ${beginning}`;
}
