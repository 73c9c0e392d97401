import type { Selectable } from "kysely";
import { sql } from "kysely";
import type { CreatedAtCondition } from "../../contract/created-at-filter.ts";
import type { Scope } from "../../db/changes.ts";
import type { Db, Tx } from "../../db/database.ts";
import { withoutIndex } from "../../db/engine-words.ts";
import type { Tables } from "../../db/tables.ts";
import { type CreatedRange, rangeOf } from "./created-range.ts";
import {
  boundsOf,
  countFinished,
  countFinishedSince,
  type KindFilter,
  listCounts,
  listPeriodsDown,
  listUnfinishedInstants,
  type PeriodCount,
  periodOf,
  transactionsOf,
  WIDTHS,
} from "./transaction-counts.ts";
import { isFinal } from "./transaction-machine.ts";

export interface TransactionFilter extends KindFilter {
  createdAt?: CreatedAtCondition;
}

export interface Page {
  limit: number;
  offset: number;
}

type Row = Selectable<Tables["transactions"]>;
/** So near the beginning, rows are passed over one by one. */
const NEAR = 100;

/**
 * Without training. Newest first, then by id; `total` is exact (rules#list-newest-first). However much
 * was sold, a page is found by the counts of periods, and only rows of its own periods are read
 * (rules#list-cost).
 * @param db a snapshot: what is asked of it must agree
 */
export async function listTransactionRows(
  db: Db | Tx,
  scope: Scope,
  filter: TransactionFilter,
  page: Page,
): Promise<{ total: number; rows: Row[] }> {
  const { createdAt, ...kinds } = filter;
  if (createdAt?.comparison === "=") return listPlainly(db, scope, filter, page);
  if (kinds.status && !isFinal(kinds.status)) return listPlainly(db, scope, filter, page);
  const range = rangeOf(createdAt);
  const look = new Look(db, scope, kinds);
  const total = await look.count(range);
  const limit = Math.min(page.limit, total - page.offset);
  if (limit <= 0) return { total, rows: [] };
  const isOneFilter = Object.values(kinds).filter((value) => value !== undefined).length <= 1;
  if (isOneFilter && page.offset <= NEAR) {
    return { total, rows: await look.read(range, { ...page, limit }) };
  }
  const passed = range.until === undefined ? 0 : await look.countSince(range.until);
  const place = await look.findPlace(passed + page.offset);
  if (isOneFilter) {
    const { until } = boundsOf(place.period);
    const rows = await look.read({ ...range, until }, { limit, offset: place.rest });
    return { total, rows };
  }
  return { total, rows: await look.readByPeriods(place, limit) };
}

/** Few at any time: those that have not finished, or of one millisecond. */
async function listPlainly(
  db: Db | Tx,
  scope: Scope,
  { createdAt, status, ...kinds }: TransactionFilter,
  page: Page,
): Promise<{ total: number; rows: Row[] }> {
  let query = transactionsOf(db, scope, status ? { status } : kinds);
  // An index of theirs would keep SQLite looking through all of a type for the few of a status.
  if (status && kinds.type) query = query.where(sql<boolean>`${withoutIndex}type = ${kinds.type}`);
  if (status && kinds.productTypes) {
    query = query.where(
      sql<boolean>`${withoutIndex}product_type in (${sql.join(kinds.productTypes)})`,
    );
  }
  const { from, until } = rangeOf(createdAt);
  if (from !== undefined) query = query.where("created_at", ">=", from);
  if (until !== undefined) query = query.where("created_at", "<", until);
  const { total } = await query
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return { total, rows: await inOrder(query).limit(page.limit).offset(page.offset).execute() };
}

function inOrder(query: ReturnType<typeof transactionsOf>) {
  return query.selectAll().orderBy("created_at", "desc").orderBy("transaction_id");
}

/** A period of the narrowest width, and how many of its rows come before the place. */
interface Place {
  period: number;
  rest: number;
  /** The kinds that there are at all. */
  kinds: readonly Kind[];
}
type Kind = Pick<PeriodCount, "product_type" | "status" | "type">;

/** One look at the transactions that fit a filter. */
class Look {
  readonly #db: Db | Tx;
  readonly #scope: Scope;
  readonly #filter: KindFilter;
  #unfinished: number[] | undefined;

  constructor(db: Db | Tx, scope: Scope, filter: KindFilter) {
    this.#db = db;
    this.#scope = scope;
    this.#filter = filter;
  }

  async count({ from, until }: CreatedRange): Promise<number> {
    if (from !== undefined) return this.countSince(from);
    const all =
      (await countFinished(this.#db, this.#scope, this.#filter)) + (await this.#open()).length;
    return until === undefined ? all : all - (await this.countSince(until));
  }

  async countSince(instant: number): Promise<number> {
    const finished = await countFinishedSince(this.#db, this.#scope, this.#filter, instant);
    return finished + (await this.#open()).filter((createdAt) => createdAt >= instant).length;
  }

  read({ from, until }: CreatedRange, page: Page): Promise<Row[]> {
    let query = transactionsOf(this.#db, this.#scope, this.#filter);
    if (from !== undefined) query = query.where("created_at", ">=", from);
    if (until !== undefined) query = query.where("created_at", "<", until);
    return inOrder(query).limit(page.limit).offset(page.offset).execute();
  }

  /** Where so many have been passed over, from the newest on: from the widest periods to the narrowest. */
  async findPlace(passed: number): Promise<Place> {
    let rest = passed;
    let within: number | undefined;
    let kinds: Kind[] = [];
    for (const width of WIDTHS) {
      const counts = await listCounts(this.#db, this.#scope, this.#filter, { width, within });
      if (width === WIDTHS[0]) kinds = kindsIn(counts);
      const open = (await this.#open()).map((createdAt) => periodOf(createdAt, width));
      const inside = open.filter((period) => within === undefined || period >> 6 === within);
      for (const [period, count] of sumByPeriod(counts, inside)) {
        within = period;
        if (rest < count) break;
        rest -= count;
      }
    }
    return { period: within ?? 0, rest, kinds };
  }

  /** Reads only periods that hold rows of the kinds, each through an index of its time. */
  async readByPeriods({ period, rest, kinds }: Place, limit: number): Promise<Row[]> {
    const least = rest + limit;
    const lists: Pick<PeriodCount, "period" | "finished">[][] = [];
    for (const kind of kinds) {
      const look = { period, limit: least };
      lists.push(await listPeriodsDown(this.#db, this.#scope, kind, look));
    }
    const open = (await this.#open()).map((createdAt) => periodOf(createdAt, 22));
    const inside = open.filter((candidate) => candidate <= period);
    const rows: Row[] = [];
    for (const [held] of sumByPeriod(lists.flat(), inside)) {
      if (rows.length >= least) break;
      rows.push(...(await this.read(boundsOf(held), { limit: least - rows.length, offset: 0 })));
    }
    return rows.slice(rest);
  }

  async #open(): Promise<number[]> {
    this.#unfinished ??= await listUnfinishedInstants(this.#db, this.#scope, this.#filter);
    return this.#unfinished;
  }
}

function kindsIn(counts: readonly PeriodCount[]): Kind[] {
  const kinds = new Map<string, Kind>();
  for (const { product_type, status, type } of counts) {
    kinds.set(`${product_type} ${status} ${type}`, { product_type, status, type });
  }
  return [...kinds.values()];
}

/** How many there are in each period, the newest first. */
function sumByPeriod(
  counts: readonly Pick<PeriodCount, "period" | "finished">[],
  open: readonly number[],
): [period: number, count: number][] {
  const sums = new Map<number, number>();
  for (const { period, finished } of counts) {
    sums.set(period, (sums.get(period) ?? 0) + finished);
  }
  for (const period of open) sums.set(period, (sums.get(period) ?? 0) + 1);
  return [...sums].toSorted(([one], [other]) => other - one);
}
