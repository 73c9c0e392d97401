import { sql } from "kysely";
import { ENVIRONMENTS } from "../contract/common.ts";
import { LastingProblem, Problem } from "../contract/problem.ts";
import { DAY, MINUTE, toTimestamp } from "../lib/clock.ts";
import type { Scope } from "./changes.ts";
import { compileOnce, engineOf } from "./compiled-query.ts";
import type { Db, Tx } from "./database.ts";

/** Tillgate did not exist before this time: a clock with an earlier time was never set. */
const EARLIEST = Date.UTC(2026, 0, 1);
/** Maximum time by which the clock may be ahead of the newest record: no shop pauses longer. */
const FARTHEST_MS = 3 * 366 * DAY;
/**
 * Maximum time by which synchronization sets a clock back. Until the clock passes the newest
 * record, events get the record's time.
 */
const BRIDGED_MS = 5 * MINUTE;

/**
 * Tables and time columns of all business events, with the condition of the column's index, if any.
 */
const EVENTS: readonly (readonly [table: string, column: string, indexed?: string])[] = [
  ["transactions", "created_at", "training = 0"],
  ["transactions", "finished_at"],
  ["sales", "created_at"],
  ["customer_refunds", "created_at"],
  ["cash_movements", "recorded_at"],
  ["shifts", "opened_at"],
  ["z_reports", "closed_at"],
  ["ledger_postings", "posted_at"],
];

export interface ClockFault {
  /** Time of the newest record; absent if the clock was never set. */
  newest?: number;
  now: number;
  message: string;
}

/**
 * Returns the time for a business event that a person or a program requests. It is never before the
 * newest event (rules#business-time).
 * @throws Problem SYSTEM_UNAVAILABLE naming `clock` while the machine's clock cannot be right
 */
export async function businessTime(tx: Tx, scope: Scope, now: number): Promise<number> {
  if (passesKnown(tx, scope, now)) return now;
  const newest = await takeNewest(tx, scope);
  const fault = findFault(newest, now);
  if (!fault || (await isAccepted(tx, scope.accountId, fault))) {
    return keepNewest(tx, scope, Math.max(now, newest ?? now));
  }
  throw new LastingProblem(`Nothing was done: ${fault.message}`, {
    clock: "is wrong",
  });
}

/**
 * Returns the time for an outcome that already happened at the provider. A wrong clock does not
 * prevent the booking. The time is never before the newest event.
 */
export async function outcomeTime(tx: Tx, scope: Scope, now: number): Promise<number> {
  if (passesKnown(tx, scope, now)) return now;
  return keepNewest(tx, scope, Math.max(now, (await takeNewest(tx, scope)) ?? now));
}

/**
 * Newest times that were used, by environment: of a SQLite database, where no other process writes
 * events, or of a PostgreSQL transaction, which has locked the account. A time that was rolled back
 * costs only a query.
 */
const given = new WeakMap<object, Map<string, number>>();

function keeperOf(tx: Tx): object {
  return engineOf(tx) === "postgres" ? tx : tx.getExecutor().adapter;
}

function keepNewest(tx: Tx, scope: Scope, at: number): number {
  const keeper = keeperOf(tx);
  const times = given.get(keeper) ?? new Map<string, number>();
  given.set(keeper, times.set(keyOf(scope), at));
  return at;
}

/**
 * Returns whether a time is after the newest time in `given`, without a query. If so, stores it
 * there.
 */
function passesKnown(tx: Tx, scope: Scope, now: number): boolean {
  const newest = given.get(keeperOf(tx))?.get(keyOf(scope));
  if (newest === undefined || now < newest || findFault(newest, now)) return false;
  keepNewest(tx, scope, now);
  return true;
}

/** Times of the newest events that transactions read before their first event. */
const ahead = new WeakMap<Tx, Map<string, Promise<number | undefined>>>();

/** Reads the time of the newest event for the first event of a transaction. */
export async function readTimeAhead(tx: Tx, scope: Scope): Promise<void> {
  const key = keyOf(scope);
  const reads = ahead.get(tx) ?? new Map<string, Promise<number | undefined>>();
  if (reads.has(key)) return;
  ahead.set(tx, reads.set(key, readNewestEvent(tx, scope)));
  await reads.get(key);
}

/** Each read is used once, because the transaction may write newer events. */
function takeNewest(tx: Tx, scope: Scope): Promise<number | undefined> {
  const key = keyOf(scope);
  const read = ahead.get(tx)?.get(key);
  if (read) ahead.get(tx)?.delete(key);
  return read ?? readNewestEvent(tx, scope);
}

function keyOf({ accountId, environment }: Scope): string {
  return `${accountId} ${environment}`;
}

/** Returns the reason why the machine's clock cannot be right; undefined if it can. */
export async function findClockFault(
  db: Db,
  accountId: string,
  now: number,
): Promise<ClockFault | undefined> {
  const fault = findFault(await readNewestOfAll(db, accountId), now);
  return fault && (await isAccepted(db, accountId, fault)) ? undefined : fault;
}

export async function readClock(
  db: Db | Tx,
  accountId: string,
  now: number,
): Promise<{ newest: number | undefined; isWrong: boolean }> {
  const newest = await readNewestOfAll(db, accountId);
  const fault = findFault(newest, now);
  return { newest, isWrong: fault !== undefined && !(await isAccepted(db, accountId, fault)) };
}

/**
 * Stores an owner's confirmation that the machine's clock is right, although it is behind the
 * newest record or years after it. While the clock is behind, events get the time of the newest
 * record (rules#clock-accepted).
 * @returns the time of the newest record
 * @throws Problem INVALID_REQUEST naming `clock` for a clock that was never set
 */
export async function acceptClock(tx: Tx, accountId: string, now: number): Promise<number> {
  const newest = await readNewestOfAll(tx, accountId);
  if (now < EARLIEST || newest === undefined) {
    throw new Problem("INVALID_REQUEST", "Set the date and time of this machine first.", {
      clock: "is years ago",
    });
  }
  await tx
    .updateTable("accounts")
    .set({ clock_newest: newest, clock_accepted_at: now })
    .where("account_id", "=", accountId)
    .execute();
  return newest;
}

/**
 * Returns whether an owner confirmed the clock after the newest record was written, and the clock
 * was not set back after the confirmation.
 */
async function isAccepted(
  db: Db | Tx,
  accountId: string,
  { newest, now }: ClockFault,
): Promise<boolean> {
  if (newest === undefined || now < EARLIEST) return false;
  const row = await db
    .selectFrom("accounts")
    .select(["clock_newest", "clock_accepted_at"])
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  if (!row || row.clock_newest === null || row.clock_accepted_at === null) return false;
  const since = now - row.clock_accepted_at;
  return newest <= row.clock_newest && since >= -BRIDGED_MS && since <= FARTHEST_MS;
}

async function readNewestOfAll(db: Db | Tx, accountId: string): Promise<number | undefined> {
  const newest: number[] = [];
  for (const environment of ENVIRONMENTS) {
    const at = await readNewestEvent(db, { accountId, environment });
    if (at !== undefined) newest.push(at);
  }
  return newest.length === 0 ? undefined : Math.max(...newest);
}

function findFault(newest: number | undefined, now: number): ClockFault | undefined {
  const shown = () => `the clock of this machine shows ${toTimestamp(now)}`;
  const next = "Set its date and time.";
  if (now < EARLIEST) return { now, message: `${shown()}, which is years ago. ${next}` };
  if (newest === undefined) return undefined;
  const record = () => `the newest record is of ${toTimestamp(newest)}`;
  if (now < newest - BRIDGED_MS) {
    return { newest, now, message: `${shown()}, and ${record()}. ${next}` };
  }
  if (now > newest + FARTHEST_MS) {
    return { newest, now, message: `${shown()}, years after ${record()}. ${next}` };
  }
  return undefined;
}

export async function readNewestEvent(
  db: Db | Tx,
  { accountId, environment }: Scope,
): Promise<number | undefined> {
  const { rows } = await selectNewest(db, { accountId, environment });
  const times = Object.values(rows[0] ?? {}).filter((at) => at !== null);
  return times.length === 0 ? undefined : Math.max(...times);
}

const selectNewest = compileOnce<Scope, Record<string, number | null>>((db, param) => {
  const newest = EVENTS.map(
    ([table, column, indexed = "1 = 1"]) => sql`(select ${sql.ref(column)} from ${sql.table(table)}
      where account_id = ${param("accountId")} and environment = ${param("environment")}
      and ${sql.ref(column)} > 0 and ${sql.raw(indexed)}
      order by ${sql.ref(column)} desc limit 1) as ${sql.ref(`${table}_${column}`)}`,
  );
  const query = sql<Record<string, number | null>>`select ${sql.join(newest)}`;
  return { compile: () => query.compile(db) };
});
