import { sql } from "kysely";
import type { FigureDimension, Figures, LineFigures } from "../../../contract/pos/figures.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { joinInOrder, jsonItems } from "../../../db/engine-words.ts";
import { type LineSum, SUMS } from "../../../db/figure-columns.ts";
import {
  DAY_MS,
  type Dimension,
  isSound,
  QUARTER_MS,
  readFigureBounds,
  UNSOUND,
} from "../../../db/figure-sums.ts";
import { inScope } from "../../../db/scope-filters.ts";
import {
  addSums,
  type CountedRow,
  countRows,
  type FigureScope,
  NO_SUMS,
  type Span,
  type Sums,
} from "./counted-rows.ts";
import { toPartValue, toStoredDimension } from "./figure-parts.ts";

const QUARTERS_A_DAY = DAY_MS / QUARTER_MS;

/** The checksum of sums does not match: they must be recounted before use. */
export class UnsoundSums extends Error {
  /** Identifies the error after its transfer between threads. */
  readonly code = "UNSOUND_SUMS";
}

type ChecksummedRow<Row> = { [Column in keyof Row]: number } & { check_sum: number };

const sumColumns = sql.raw(
  [...SUMS, "check_sum"].map((column) => `sum(f.${column}) as ${column}`).join(", "),
);

function isOf(
  { accountId, environment, currency }: FigureScope,
  dimension: Dimension | "ALL" | "TENDER",
) {
  return sql`f.account_id = ${accountId} and f.environment = ${environment}
    and f.dimension = ${dimension} and f.currency = ${currency}`;
}

/** @throws UnsoundSums */
function requireSound<Row extends LineSums & { check_sum: number }>(
  rows: readonly Row[],
): readonly Row[] {
  if (rows.every((row) => isSound(row, row))) return rows;
  throw new UnsoundSums();
}

/**
 * Sums sales and payments of each span, in order. Whole quarter hours of closed days come from
 * stored figures, all other sales and payments from the rows.
 * @throws UnsoundSums
 */
export async function sumSpans(
  db: Db | Tx,
  scope: FigureScope,
  spans: readonly Span[],
): Promise<Sums[]> {
  const { closedUntil, finalUntil } = await readFigureBounds(db, scope);
  const cut = spans.map((span) => cutSpan(span, QUARTER_MS, closedUntil));
  const whole = cut.map(({ first, next }, index) => [index, first, next]);
  const { rows } = await sql<ChecksummedRow<Sums> & { span: number }>`
    select cast(j.value ->> 0 as bigint) as span, ${sumColumns}
    from ${jsonItems(whole)} j
    ${joinInOrder} day_figures f on ${isOf(scope, "ALL")}
      and f.quarter >= cast(j.value ->> 1 as bigint)
      and f.quarter < cast(j.value ->> 2 as bigint)
    group by span`.execute(db);
  const sums = spans.map(() => NO_SUMS);
  for (const row of requireSound(rows)) sums[row.span] = addSums(NO_SUMS, row);
  for (const [index, { edges }] of cut.entries()) {
    for (const edge of edges) {
      sums[index] = addSums(
        sums[index],
        ...(await countRows(db, scope, edge, { dimension: "ALL", finalUntil })),
      );
    }
  }
  return sums;
}

/** Amounts of a tender; `tenderId` is empty for the first tender of a kind. */
export interface TenderSums {
  kind: string;
  tenderId: string;
  taken: number;
  refunded: number;
}

/**
 * Sums payments and refunds by tender, from the same sources as `sumSpans`.
 * @throws UnsoundSums
 */
export async function sumTenders(
  db: Db | Tx,
  scope: FigureScope,
  span: Span,
): Promise<TenderSums[]> {
  const { closedUntil, finalUntil } = await readFigureBounds(db, scope);
  const cut = cutSpan(span, QUARTER_MS, closedUntil);
  const values = await sumValues(db, scope, cut, { dimension: "TENDER", finalUntil });
  return [...values].map(([value, { taken, taken_back }]) => {
    const [kind = "", tenderId = ""] = value.split(" ");
    return { kind, tenderId, taken, refunded: taken_back };
  });
}

/**
 * Sums lines by value of a dimension. Closed UTC days come from stored figures, other days from the
 * lines.
 * @throws UnsoundSums
 */
export async function sumParts(
  db: Db | Tx,
  scope: FigureScope,
  { from, until }: Span,
  by: FigureDimension,
): Promise<Map<string, LineSums>> {
  const { closedUntil, finalUntil } = await readFigureBounds(db, scope);
  const { first, next, edges } = cutSpan({ from, until }, DAY_MS, closedUntil);
  const quarters = { first: first * QUARTERS_A_DAY, next: next * QUARTERS_A_DAY, edges };
  const found = new Map<string, Sums>();
  const counted = { dimension: toStoredDimension(by), finalUntil };
  for (const [stored, sums] of await sumValues(db, scope, quarters, counted)) {
    const value = toPartValue(by, stored);
    if (value !== undefined) found.set(value, addSums(sums, found.get(value)));
  }
  return found;
}

/** @throws UnsoundSums */
async function sumValues(
  db: Db | Tx,
  scope: FigureScope,
  { first, next, edges }: CutSpan,
  counted: { dimension: Dimension | "TENDER"; finalUntil: number },
): Promise<Map<string, Sums>> {
  type Row = ChecksummedRow<Sums> & { value: string };
  const { rows } = await sql<Row>`
    select f.value, ${sumColumns} from day_figures f
    where ${isOf(scope, counted.dimension)} and f.quarter >= ${first} and f.quarter < ${next}
    group by f.value`.execute(db);
  const found = new Map<string, Sums>();
  const add = ({ value, ...sums }: Sums & { value: string }) =>
    found.set(value, addSums(sums, found.get(value)));
  for (const row of requireSound(rows)) add(row);
  for (const edge of edges) {
    for (const row of await countRows(db, scope, edge, counted)) add(row);
  }
  return found;
}

/** A part of a day with a constant UTC offset; `date` counts days since 1970. */
export interface Stretch extends Span {
  date: number;
  offset: number;
}

/**
 * Sums by day and local hour, in this order. A day is a number of days since 1970, or a weekday with
 * Monday as 0.
 * @param stretches each starts and ends at a quarter hour
 * @throws UnsoundSums
 */
export async function sumHours(
  db: Db | Tx,
  scope: FigureScope,
  stretches: readonly Stretch[],
  by: "date" | "weekday",
): Promise<(Sums & { day: number; hour: number })[]> {
  const { closedUntil, finalUntil } = await readFigureBounds(db, scope);
  const list = stretches.map(({ date, from, until, offset }) => [
    ...[from, Math.min(until, closedUntil), offset].map((at) => Math.floor(at / QUARTER_MS)),
    by === "date" ? date : (date + 3) % 7,
  ]);
  const { rows } = await sql<ChecksummedRow<Sums> & { day: number; hour: number }>`
    select cast(j.value ->> 3 as bigint) as day,
      (f.quarter + cast(j.value ->> 2 as bigint)) / 4 % 24 as hour, ${sumColumns}
    from ${jsonItems(list)} j
    ${joinInOrder} day_figures f on ${isOf(scope, "ALL")}
      and f.quarter >= cast(j.value ->> 0 as bigint)
      and f.quarter < cast(j.value ->> 1 as bigint)
    group by 1, 2`.execute(db);
  const hours = new Map<string, Sums & { day: number; hour: number }>();
  const add = (day: number, hour: number, sums: Sums) => {
    const key = `${day} ${hour}`;
    hours.set(key, { ...addSums(sums, hours.get(key)), day, hour });
  };
  for (const row of requireSound(rows)) add(row.day, row.hour, row);
  for (const { date, from, until, offset } of stretches) {
    const open = { from: Math.max(from, closedUntil), until };
    for (const row of await countRows(db, scope, open, { dimension: "ALL", finalUntil })) {
      const hour = Math.floor((row.quarter + offset / QUARTER_MS) / 4) % 24;
      add(by === "date" ? date : (date + 3) % 7, hour, row);
    }
  }
  return [...hours.values()].toSorted((a, b) => a.day - b.day || a.hour - b.hour);
}

export async function listQuarters(
  db: Db | Tx,
  scope: FigureScope,
  { from, until }: Span,
): Promise<
  Pick<CountedRow, "quarter" | "sales" | "sales_back" | "wallet_cost" | "wallet_cost_back">[]
> {
  const { closedUntil, finalUntil } = await readFigureBounds(db, scope);
  const closed = await db
    .selectFrom("day_figures")
    .select(["quarter", "sales", "sales_back", "wallet_cost", "wallet_cost_back"])
    .where(inScope(scope))
    .where("dimension", "=", "ALL")
    .where("currency", "=", scope.currency)
    .where("quarter", ">=", Math.floor(from / QUARTER_MS))
    .where("quarter", "<", Math.floor(Math.min(until, closedUntil) / QUARTER_MS))
    .execute();
  const [openFrom, openUntil] = [Math.max(from, closedUntil), until].map(
    (at) => at - (at % QUARTER_MS),
  );
  const openSpan = { from: openFrom ?? 0, until: openUntil ?? 0 };
  const open = await countRows(db, scope, openSpan, { dimension: "ALL", finalUntil });
  return [...closed, ...open];
}

export async function findUnsoundDays(
  db: Db | Tx,
  { accountId, environment }: Scope,
  { from, until }: Span,
): Promise<number[]> {
  const [first, last] = [Math.floor(from / DAY_MS), Math.floor(until / DAY_MS)];
  const { rows } = await sql<{ day: number }>`
    select distinct quarter / ${sql.lit(QUARTERS_A_DAY)} as day from day_figures
    where account_id = ${accountId} and environment = ${environment}
      and quarter >= ${first * QUARTERS_A_DAY} and quarter < ${(last + 1) * QUARTERS_A_DAY}
      and ${sql.raw(UNSOUND)}`.execute(db);
  return rows.map(({ day }) => day);
}

interface CutSpan {
  /** Range of whole units, numbered since 1970; `next` is exclusive. */
  first: number;
  next: number;
  /** Parts of the span outside whole closed units. */
  edges: Span[];
}

/** @param closedUntil the end of the last closed day; later units belong to an edge */
function cutSpan({ from, until }: Span, unit: number, closedUntil: number): CutSpan {
  const first = Math.ceil(from / unit);
  const next = Math.floor(Math.min(until, closedUntil) / unit);
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

type LineSums = Readonly<Record<LineSum, number>>;

const MIN_FOR_PERCENT = 10;

/** A line is added at its sale and subtracted at its failure (rules#figure-words). */
export function toLineFigures(sums: LineSums): LineFigures {
  const sold = sums.paid - sums.paid_back;
  const tax = sums.tax - sums.tax_back;
  const cost = sums.cost - sums.cost_back;
  const earned = sold - tax - cost;
  const lines = sums.lines - sums.lines_back;
  const hasMargin = lines >= MIN_FOR_PERCENT && sold - tax > 0;
  return {
    lines,
    linesFailed: sums.lines_back,
    discount: sums.discount - sums.discount_back,
    sold,
    tax,
    cost,
    earned,
    ...(hasMargin && { marginPct: toPercent(earned, sold - tax) }),
  };
}

/**
 * The result satisfies `sold + refundsDue + cashRounding = taken + owed` (rules#figure-identity).
 */
export function toFigures(sums: Sums): Figures {
  const lines = toLineFigures(sums);
  const refunded = sums.taken_back;
  const taken = sums.taken - refunded;
  const sales = sums.sales - sums.sales_back;
  const refundsDue = sums.paid_back - sums.paid_refunded;
  return {
    ...lines,
    sales,
    ...(sales > 0 && { average: Math.round(lines.sold / sales) }),
    refundsDue,
    refunded,
    cashRounding: sums.cash_rounding,
    taken,
    owed: lines.sold + refundsDue + sums.cash_rounding - taken,
  };
}

function toPercent(part: number, whole: number): number {
  return Math.round((part * 1000) / whole) / 10;
}
