import { sql } from "kysely";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { indexedBy, joinInOrder, jsonItems, jsonTexts } from "../../../db/engine-words.ts";
import {
  countDays,
  countQuarters,
  countTenders,
  DAY_MS,
  DAY_SUMS,
  type Dimension,
  isSound,
  QUARTER_MS,
  QUARTER_SUMS,
  UNSOUND,
} from "../../../db/figure-sums.ts";
import type { LineSums, Sums } from "./figure-definitions.ts";

export interface FigureScope extends Scope {
  currency: string;
}

/** A period; `until` is not included. */
export interface Span {
  from: number;
  until: number;
}

/** Sums whose checksum does not match. They must be recounted before use. */
export class UnsoundSums extends Error {
  /** Identifies the error after it crossed a thread. */
  readonly code = "UNSOUND_SUMS";
}

type ChecksummedRow<Row> = { [Column in keyof Row]: number } & { check_sum: number };

export const NO_SUMS: Sums = {
  sales: 0,
  lines: 0,
  paid: 0,
  discount: 0,
  tax: 0,
  cost: 0,
  wallet_cost: 0,
  lines_back: 0,
  paid_back: 0,
  tax_back: 0,
  cost_back: 0,
  wallet_cost_back: 0,
  discount_back: 0,
  cash_rounding: 0,
  cash: 0,
  card: 0,
  other: 0,
  cash_back: 0,
  card_back: 0,
  other_back: 0,
  sales_back: 0,
  paid_refunded: 0,
};

const quarterColumns = sql.raw(
  [...QUARTER_SUMS, "check_sum"].map((column) => `sum(q.${column}) as ${column}`).join(", "),
);
const dayColumns = sql.raw(
  [...DAY_SUMS, "check_sum"].map((column) => `sum(f.${column}) as ${column}`).join(", "),
);

/** @throws UnsoundSums */
function requireSound<Row extends LineSums & { check_sum: number }>(
  rows: readonly Row[],
): readonly Row[] {
  if (rows.every((row) => isSound(row, row))) return rows;
  throw new UnsoundSums();
}

/**
 * Sums sales and payments per span, in order: whole quarter hours from their sums, and the minutes at the ends from the
 * rows.
 * @throws UnsoundSums
 */
export async function sumSpans(
  db: Db | Tx,
  scope: FigureScope,
  spans: readonly Span[],
): Promise<Sums[]> {
  const cut = spans.map((span) => cutSpan(span, QUARTER_MS));
  const whole = cut.map(({ first, next }, index) => [index, first, next]);
  const { rows } = await sql<ChecksummedRow<Sums> & { span: number }>`
    select cast(j.value ->> 0 as bigint) as span, ${quarterColumns}
    from ${jsonItems(whole)} j
    ${joinInOrder} figure_quarters q on q.account_id = ${scope.accountId}
      and q.environment = ${scope.environment} and q.currency = ${scope.currency}
      and q.quarter >= cast(j.value ->> 1 as bigint)
      and q.quarter < cast(j.value ->> 2 as bigint)
    group by span`.execute(db);
  const sums = spans.map(() => NO_SUMS);
  for (const row of requireSound(rows)) sums[row.span] = addSums(NO_SUMS, row);
  for (const [index, { edges }] of cut.entries()) {
    for (const edge of edges) {
      const counted = countQuarters({ scope, ...edge });
      const { rows: few } = await sql<ChecksummedRow<Sums>>`
        select ${quarterColumns} from (${counted}) q where q.currency = ${scope.currency}
        having count(*) > 0`.execute(db);
      for (const row of few) sums[index] = addSums(sums[index] ?? NO_SUMS, row);
    }
  }
  return sums;
}

export interface TenderSums {
  taken: number;
  taken_back: number;
}

/**
 * Sums a span's payments by tenders that the owner added, split like `sumSpans`.
 * @throws UnsoundSums
 */
export async function sumTenders(
  db: Db | Tx,
  scope: FigureScope,
  span: Span,
  tenderIds: readonly string[],
): Promise<Map<string, TenderSums>> {
  const found = new Map<string, TenderSums>();
  if (tenderIds.length === 0) return found;
  const { first, next, edges } = cutSpan(span, QUARTER_MS);
  type Row = TenderSums & { tender_id: string; check_sum: number };
  const columns = sql`q.tender_id, sum(q.taken) as taken, sum(q.taken_back) as taken_back,
    sum(q.check_sum) as check_sum`;
  const add = (rows: readonly Row[]) => {
    for (const { tender_id, taken, taken_back, check_sum } of rows) {
      if (taken + 3 * taken_back !== check_sum) throw new UnsoundSums();
      const before = found.get(tender_id) ?? { taken: 0, taken_back: 0 };
      found.set(tender_id, {
        taken: before.taken + taken,
        taken_back: before.taken_back + taken_back,
      });
    }
  };
  const { rows } = await sql<Row>`
    select ${columns} from ${jsonTexts(tenderIds)} j
    ${joinInOrder} figure_tenders q on q.account_id = ${scope.accountId}
      and q.environment = ${scope.environment} and q.currency = ${scope.currency}
      and q.tender_id = j.value and q.quarter >= ${first} and q.quarter < ${next}
    group by q.tender_id`.execute(db);
  add(rows);
  for (const edge of edges) {
    const { rows: few } = await sql<Row>`
      select ${columns} from (${countTenders({ scope, ...edge })}) q
      where q.currency = ${scope.currency} group by q.tender_id`.execute(db);
    add(few);
  }
  return found;
}

/**
 * Sums a span's lines per value of a dimension: whole UTC days from their sums, and the rest from the lines.
 * @throws UnsoundSums
 */
export async function sumParts(
  db: Db | Tx,
  scope: FigureScope,
  { from, until }: Span,
  dimension: Dimension,
): Promise<Map<string, LineSums>> {
  const { first, next, edges } = cutSpan({ from, until }, DAY_MS);
  const { rows } = await sql<ChecksummedRow<LineSums> & { value: string }>`
    select f.value, ${dayColumns} from figure_days f ${indexedBy("figure_days_by_day")}
    where f.account_id = ${scope.accountId} and f.environment = ${scope.environment}
      and f.dimension = ${dimension} and f.day >= ${first} and f.day < ${next}
      and f.currency = ${scope.currency} group by f.value`.execute(db);
  const parts = new Map<string, LineSums>();
  const add = (list: readonly (LineSums & { value: string })[]) => {
    for (const row of list) {
      parts.set(row.value, addSums(NO_SUMS, row, parts.get(row.value)));
    }
  };
  add(requireSound(rows));
  for (const edge of edges) {
    const counted = countDays({ scope, ...edge }, dimension);
    const { rows: few } = await sql<ChecksummedRow<LineSums> & { value: string }>`
      select f.value, ${dayColumns} from (${counted}) f
      where f.currency = ${scope.currency} group by f.value`.execute(db);
    add(few);
  }
  return parts;
}

/** A part of a day, in days since 1970, with one offset from UTC. */
export interface Stretch extends Span {
  date: number;
  offset: number;
}

/**
 * Sums sales and payments by day and by local hour. The day is in days since 1970 or of the week from Monday.
 * @param stretches each starts and ends at a quarter hour
 * @throws UnsoundSums
 */
export async function sumHours(
  db: Db | Tx,
  scope: FigureScope,
  stretches: readonly Stretch[],
  by: "date" | "weekday",
): Promise<(Sums & { day: number; hour: number })[]> {
  const list = stretches.map(({ date, ...times }) => [
    ...[times.from, times.until, times.offset].map((at) => Math.floor(at / QUARTER_MS)),
    by === "date" ? date : (date + 3) % 7,
  ]);
  const { rows } = await sql<ChecksummedRow<Sums> & { day: number; hour: number }>`
    select cast(j.value ->> 3 as bigint) as day,
      (q.quarter + cast(j.value ->> 2 as bigint)) / 4 % 24 as hour, ${quarterColumns}
    from ${jsonItems(list)} j
    ${joinInOrder} figure_quarters q on q.account_id = ${scope.accountId}
      and q.environment = ${scope.environment} and q.currency = ${scope.currency}
      and q.quarter >= cast(j.value ->> 0 as bigint)
      and q.quarter < cast(j.value ->> 1 as bigint)
    group by 1, 2`.execute(db);
  return requireSound(rows).map((row) => ({
    ...addSums(NO_SUMS, row),
    day: row.day,
    hour: row.hour,
  }));
}

export async function listSpending(db: Db | Tx, scope: FigureScope, { from, until }: Span) {
  return db
    .selectFrom("figure_quarters")
    .select(["quarter", "sales", "sales_back", "wallet_cost", "wallet_cost_back"])
    .where("account_id", "=", scope.accountId)
    .where("environment", "=", scope.environment)
    .where("currency", "=", scope.currency)
    .where("quarter", ">=", Math.floor(from / QUARTER_MS))
    .where("quarter", "<", Math.floor(until / QUARTER_MS))
    .execute();
}

export async function findUnsoundDays(
  db: Db | Tx,
  { accountId, environment }: Scope,
  { from, until }: Span,
): Promise<number[]> {
  const [first, last] = [Math.floor(from / DAY_MS), Math.floor(until / DAY_MS)];
  const perDay = DAY_MS / QUARTER_MS;
  const { rows } = await sql<{ day: number }>`
    select quarter / ${sql.lit(perDay)} as day from figure_quarters
    where account_id = ${accountId} and environment = ${environment}
      and quarter >= ${first * perDay} and quarter < ${(last + 1) * perDay}
      and ${sql.raw(UNSOUND.figure_quarters)}
    union select quarter / ${sql.lit(perDay)} as day from figure_tenders
    where account_id = ${accountId} and environment = ${environment}
      and quarter >= ${first * perDay} and quarter < ${(last + 1) * perDay}
      and ${sql.raw(UNSOUND.figure_tenders)}
    union select day from figure_days
    where account_id = ${accountId} and environment = ${environment}
      and day >= ${first} and day <= ${last} and ${sql.raw(UNSOUND.figure_days)}`.execute(db);
  return rows.map(({ day }) => day);
}

interface CutSpan {
  /** Units since 1970 within the span, without `next`. */
  first: number;
  next: number;
  /** Parts of the span outside these units. */
  edges: Span[];
}

function cutSpan({ from, until }: Span, unit: number): CutSpan {
  const first = Math.ceil(from / unit);
  const next = Math.floor(until / unit);
  const edges =
    first >= next
      ? [{ from, until }]
      : [
          { from, until: first * unit },
          { from: next * unit, until },
        ];
  return {
    first,
    next: Math.max(first, next),
    edges: edges.filter((edge) => edge.from < edge.until),
  };
}

export function addSums(...all: readonly (Partial<Sums> | undefined)[]): Sums {
  const sums: Record<string, number> = {};
  for (const column of QUARTER_SUMS) {
    sums[column] = all.reduce((sum, one) => sum + (one?.[column] ?? 0), 0);
  }
  return { ...NO_SUMS, ...sums };
}
