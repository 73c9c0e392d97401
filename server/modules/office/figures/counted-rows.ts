import { sql } from "kysely";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { SUMS, type Sum } from "../../../db/figure-columns.ts";
import { countFigures, type Dimension, QUARTER_MS } from "../../../db/figure-sums.ts";

export interface FigureScope extends Scope {
  currency: string;
}

/** `until` is exclusive. */
export interface Span {
  from: number;
  until: number;
}

/** Sums in minor units. */
export type Sums = Readonly<Record<Sum, number>>;

/** Sums of a quarter hour, or of a UTC day in a dimension of lines. `quarter` is its start. */
export type CountedRow = Sums & { quarter: number; value: string };

interface Counted {
  until: number;
  rows: readonly CountedRow[];
}

type CountedDimension = Dimension | "ALL" | "TENDER";

/** Maximum number of spans whose sums are kept, and of rows of a span. */
const MAX_KEPT = 128;
const MAX_ROWS = 500;

/** Sums that no later event changes, by database and by start of the span. */
const kept = new WeakMap<object, Map<string, Counted>>();

/**
 * Counts sales and payments of a span. Sums of quarter hours that no later event changes are kept,
 * so that the next request counts only later sales.
 * @param finalUntil of the snapshot `db`
 */
export async function countRows(
  db: Db | Tx,
  scope: FigureScope,
  { from, until }: Span,
  { dimension, finalUntil }: { dimension: CountedDimension; finalUntil: number },
): Promise<readonly CountedRow[]> {
  const last = Math.min(until, finalUntil);
  const end = Math.max(from, last - (last % QUARTER_MS));
  // The span that later events will extend has one entry, which grows.
  const isGrowing = finalUntil < until;
  const { accountId, environment, currency } = scope;
  const place = [accountId, environment, currency, dimension, from, isGrowing || end];
  const counts = countsOf(db);
  const key = JSON.stringify(place);
  let known = counts.get(key) ?? { until: from, rows: [] };
  // A request with a newer snapshot kept more.
  if (known.until > end) known = { until: from, rows: [] };
  if (known.until < end) {
    const more = await query(db, scope, { from: known.until, until: end }, dimension);
    known = { until: end, rows: join(known.rows, more) };
    keep(counts, key, known);
  }
  const rest = await query(db, scope, { from: end, until }, dimension);
  return rest.length === 0 ? known.rows : join(known.rows, rest);
}

function countsOf(db: Db | Tx): Map<string, Counted> {
  const { adapter } = db.getExecutor();
  const counts = kept.get(adapter) ?? new Map<string, Counted>();
  kept.set(adapter, counts);
  return counts;
}

/** Replaces the oldest entry of a full map. */
function keep(counts: Map<string, Counted>, key: string, counted: Counted): void {
  counts.delete(key);
  if (counted.rows.length > MAX_ROWS) return;
  const [oldest] = counts.keys();
  if (counts.size >= MAX_KEPT && oldest !== undefined) counts.delete(oldest);
  counts.set(key, counted);
}

async function query(
  db: Db | Tx,
  scope: FigureScope,
  span: Span,
  dimension: CountedDimension,
): Promise<readonly CountedRow[]> {
  if (span.from >= span.until) return [];
  const { rows } = await sql<CountedRow>`
    select f.* from (${countFigures({ scope, ...span }, dimension)}) f
    where f.currency = ${scope.currency}`.execute(db);
  return rows;
}

/** Returns one row for each quarter hour and value. */
function join(first: readonly CountedRow[], second: readonly CountedRow[]): readonly CountedRow[] {
  const rows = new Map<string, CountedRow>();
  for (const row of [...first, ...second]) {
    const key = `${row.quarter} ${row.value}`;
    const { quarter, value } = row;
    rows.set(key, { ...addSums(rows.get(key), row), quarter, value });
  }
  return [...rows.values()];
}

export function addSums(...all: readonly (Partial<Sums> | undefined)[]): Sums {
  const sums: Partial<Record<Sum, number>> = {};
  for (const column of SUMS) {
    sums[column] = all.reduce((sum, one) => sum + (one?.[column] ?? 0), 0);
  }
  return { ...NO_SUMS, ...sums };
}

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
  taken: 0,
  taken_back: 0,
  sales_back: 0,
  paid_refunded: 0,
};
