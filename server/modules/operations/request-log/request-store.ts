import { sql } from "kysely";
import type { LoggedRequest, RequestLogQuery } from "../../../contract/pos/request-log.ts";
import type { Scope } from "../../../db/changes.ts";
import { compileOnce } from "../../../db/compiled-query.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { withoutIndex } from "../../../db/engine-words.ts";
import { inScope } from "../../../db/scope-filters.ts";
import type { Tables } from "../../../db/tables.ts";
import { toTimestamp } from "../../../lib/clock.ts";

type Row = { [Column in keyof Tables["api_requests"]]: string | number | null };
export type NewRequest = Omit<Row, "request_no"> & { key_id: string };

const COLUMNS = [
  "account_id",
  "environment",
  "key_id",
  "request_id",
  "received_at",
  "method",
  "path",
  "status",
  "duration_ms",
  "transaction_id",
  "request_bytes",
  "request_body",
  "response_bytes",
  "response_body",
] as const satisfies (keyof NewRequest)[];

/** Rows of one statement. Other numbers would need a statement of their own each. */
export const ROWS_AT_ONCE = 20;
/** Maximum number of rows that a search examines. The caller may continue with older rows. */
const EXAMINED = 100_000;

type Values = (string | number | null)[];

/** Names each value by its index, because an object with hundreds of names is slow. */
function insertMany(count: number) {
  const numbers = Array.from({ length: count }, (_, number) => number);
  return compileOnce<Values, object>((db, param) =>
    db.insertInto("api_requests").values(
      numbers.map((number) => {
        const first = number * COLUMNS.length;
        const row = COLUMNS.map((column, index) => [column, param(first + index)]);
        return Object.fromEntries(row) as never;
      }),
    ),
  );
}

const insertOne = insertMany(1);
const insertChunk = insertMany(ROWS_AT_ONCE);

/** @param rows at most `ROWS_AT_ONCE`; if there are fewer, each needs a statement */
export async function insertRequests(db: Db | Tx, rows: readonly NewRequest[]): Promise<void> {
  if (rows.length === ROWS_AT_ONCE) await insertChunk(db, toValues(rows));
  else for (const row of rows) await insertOne(db, toValues([row]));
}

/** Inserts all rows, or none. */
export async function insertTogether(db: Db, rows: readonly NewRequest[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (let first = 0; first < rows.length; first += ROWS_AT_ONCE) {
      await insertRequests(tx, rows.slice(first, first + ROWS_AT_ONCE));
    }
  });
}

function toValues(rows: readonly NewRequest[]): Values {
  const values: Values = [];
  for (const row of rows) for (const column of COLUMNS) values.push(row[column]);
  return values;
}

export async function countRequests(db: Db, keyId: string): Promise<number> {
  const { count } = await db
    .selectFrom("api_requests")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("key_id", "=", keyId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function countAllRequests(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom("api_requests")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

/** Deletes the oldest requests of a key. */
export async function deleteOldestOf(db: Db, keyId: string, count: number): Promise<void> {
  await db
    .deleteFrom("api_requests")
    .where("request_no", "in", (eb) =>
      eb
        .selectFrom("api_requests")
        .select("request_no")
        .where("key_id", "=", keyId)
        .orderBy("request_no")
        .limit(count),
    )
    .execute();
}

/**
 * Deletes the requests before a time among the oldest `count` ones.
 * @param before undefined for any time
 * @returns number of deleted requests
 */
export async function deleteOldest(
  db: Db,
  { before = Number.MAX_SAFE_INTEGER, count }: { before?: number; count: number },
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("api_requests")
    .where("request_no", "in", (eb) =>
      eb
        .selectFrom(
          eb
            .selectFrom("api_requests")
            .select(["request_no", "received_at"])
            .orderBy("request_no")
            .limit(count)
            .as("oldest"),
        )
        .select("oldest.request_no")
        .where("oldest.received_at", "<", before),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

type Found = Omit<LoggedRequest, "keyName">;

interface FoundPage {
  list: Found[];
  next: number | undefined;
}

/** Lists requests, newest first, from an index that contains no bodies. */
export async function findRequests(
  db: Db,
  scope: Scope,
  query: Omit<RequestLogQuery, "environment">,
): Promise<FoundPage> {
  const { before = Number.MAX_SAFE_INTEGER, limit } = query;
  const top = await findNewest(db, scope, before);
  if (top === undefined) return { list: [], next: undefined };
  const floor = top - EXAMINED;
  const rows = await db
    .selectFrom("api_requests")
    .select(LISTED)
    .where("request_no", "in", (eb) => {
      let found = eb
        .selectFrom("api_requests as r")
        .select("r.request_no")
        .where(inScope(scope, "r"))
        .where("r.request_no", "<", before)
        .where("r.request_no", ">", floor)
        .orderBy("r.request_no", "desc")
        .limit(limit + 1);
      for (const condition of toConditions(query)) found = found.where(condition);
      return found;
    })
    .orderBy("request_no", "desc")
    .execute();
  const list = rows.slice(0, limit).map(toFound);
  if (rows.length > limit) return { list, next: list.at(-1)?.requestNo };
  const isMore = floor > 0 && (await findNewest(db, scope, floor + 1)) !== undefined;
  return { list, next: isMore ? floor + 1 : undefined };
}

const LISTED = [
  "request_no",
  "request_id",
  "received_at",
  "method",
  "path",
  "status",
  "duration_ms",
  "key_id",
  "transaction_id",
] as const;

function toConditions(query: Omit<RequestLogQuery, "environment">) {
  const { keyId, status, path, transactionId, requestId, since, until } = query;
  const lowest = Number(status?.[0]) * 100;
  return [
    keyId !== undefined && sql<boolean>`${withoutIndex}r.key_id = ${keyId}`,
    status !== undefined && sql<boolean>`r.status between ${lowest} and ${lowest + 99}`,
    path !== undefined && sql<boolean>`r.path like ${toPattern(path)} escape '!'`,
    transactionId !== undefined && sql<boolean>`r.transaction_id = ${transactionId}`,
    requestId !== undefined && sql<boolean>`r.request_id = ${requestId}`,
    since !== undefined && sql<boolean>`r.received_at >= ${Date.parse(since)}`,
    until !== undefined && sql<boolean>`r.received_at <= ${Date.parse(until)}`,
  ].filter((condition) => condition !== false);
}

function toPattern(text: string): string {
  return `%${text.replaceAll(/[!%_]/g, "!$&")}%`;
}

async function findNewest(db: Db, scope: Scope, before: number): Promise<number | undefined> {
  const row = await db
    .selectFrom("api_requests")
    .select("request_no")
    .where(inScope(scope))
    .where("request_no", "<", before)
    .orderBy("request_no", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.request_no;
}

export function findRequest(db: Db, accountId: string, requestNo: number) {
  return db
    .selectFrom("api_requests")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("request_no", "=", requestNo)
    .executeTakeFirst();
}

type Listed = Pick<NonNullable<Awaited<ReturnType<typeof findRequest>>>, (typeof LISTED)[number]>;

export function toFound(row: Listed): Found {
  return {
    requestNo: row.request_no,
    requestId: row.request_id,
    at: toTimestamp(row.received_at),
    method: row.method,
    path: row.path,
    status: row.status,
    duration_ms: row.duration_ms,
    keyId: row.key_id,
    ...(row.transaction_id !== null && { transactionId: row.transaction_id }),
  };
}
