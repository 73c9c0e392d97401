import { type Selectable, sql } from "kysely";
import type { TransactionStatus } from "../../../contract/common.ts";
import type { CreatedAtCondition } from "../../../contract/created-at-filter.ts";
import {
  PRODUCT_TYPES,
  type ProductType,
  TRANSACTION_TYPES,
  type TransactionType,
} from "../../../contract/v1/transactions.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { indexedBy, withoutIndex } from "../../../db/engine-words.ts";
import { inScope } from "../../../db/scope-filters.ts";
import type { Tables } from "../../../db/tables.ts";
import { isFinal } from "./transaction-machine.ts";

/** Widths of the periods that are counted, as powers of two of milliseconds, the widest first. */
const WIDTHS = [34, 28, 22] as const;
const NARROWEST: Width = 22;

/**
 * The column of `transaction_counts` that each filter is counted by. A new filter needs a column there, in its
 * key and in both triggers that count; without one the totals of `GET /v1/transactions` are wrong.
 */
const COUNTED_BY = {
  status: "status",
  type: "type",
  productTypes: "product_type",
} as const satisfies Record<keyof KindFilter, keyof Tables["transaction_counts"]>;

const FINAL = ["DONE", "FAILED"] as const;

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

type Width = (typeof WIDTHS)[number];

/** Which transactions are meant; whatever is left out is not looked at. */
interface KindFilter {
  status?: TransactionStatus;
  type?: TransactionType;
  productTypes?: readonly ProductType[];
}

/** One kind of transactions, and how many of it were made in a period and have finished. */
interface PeriodCount {
  period: number;
  finished: number;
  product_type: ProductType;
  status: "DONE" | "FAILED";
  type: TransactionType;
}

function periodOf(instant: number, width: Width): number {
  return Math.floor(instant / 2 ** width);
}

/** The instants of a period: from the first, before the second. */
function boundsOf(period: number): { from: number; until: number } {
  return { from: period * 2 ** NARROWEST, until: (period + 1) * 2 ** NARROWEST };
}

/** The counts of a scope that fit, each combination looked up in the key of the table. */
function countsOf(db: Db | Tx, scope: Scope, filter: KindFilter, width: Width) {
  return db
    .selectFrom("transaction_counts")
    .where(inScope(scope))
    .where("width", "=", width)
    .where(COUNTED_BY.productTypes, "in", filter.productTypes ?? PRODUCT_TYPES)
    .where(
      COUNTED_BY.status,
      "in",
      FINAL.filter((status) => (filter.status ?? status) === status),
    )
    .where(COUNTED_BY.type, "in", filter.type ? [filter.type] : TRANSACTION_TYPES);
}

/** The counts of the periods of a width that lie within one of the next wider, or of all there are. */
function listCounts(
  db: Db | Tx,
  scope: Scope,
  filter: KindFilter,
  { width, within }: { width: Width; within: number | undefined },
): Promise<PeriodCount[]> {
  let query = countsOf(db, scope, filter, width);
  if (within !== undefined) {
    query = query.where("period", ">=", within * 64).where("period", "<", (within + 1) * 64);
  }
  return query.select(["period", "finished", "product_type", "status", "type"]).execute();
}

/** The newest narrow periods up to one in which there are transactions of one kind. */
function listPeriodsDown(
  db: Db | Tx,
  scope: Scope,
  kind: Pick<PeriodCount, "product_type" | "status" | "type">,
  { period, limit }: { period: number; limit: number },
): Promise<Pick<PeriodCount, "period" | "finished">[]> {
  const { product_type, status, type } = kind;
  return countsOf(db, scope, { productTypes: [product_type], status, type }, NARROWEST)
    .select(["period", "finished"])
    .where("period", "<=", period)
    .orderBy("period", "desc")
    .limit(limit)
    .execute();
}

/** How many have finished, of all that were ever made. */
async function countFinished(db: Db | Tx, scope: Scope, filter: KindFilter): Promise<number> {
  const { total } = await countsOf(db, scope, filter, WIDTHS[0])
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>("finished"), eb.lit(0)).as("total"))
    .executeTakeFirstOrThrow();
  return total;
}

/** How many have finished, of those made at an instant or later. */
async function countFinishedSince(
  db: Db | Tx,
  scope: Scope,
  filter: KindFilter,
  instant: number,
): Promise<number> {
  let count = 0;
  let last = Number.MAX_SAFE_INTEGER;
  for (const width of WIDTHS) {
    const period = periodOf(instant, width);
    const { total } = await countsOf(db, scope, filter, width)
      .select((eb) => eb.fn.coalesce(eb.fn.sum<number>("finished"), eb.lit(0)).as("total"))
      .where("period", ">", period)
      .where("period", "<=", last)
      .executeTakeFirstOrThrow();
    count += total;
    last = period * 64 + 63;
  }
  const { until } = boundsOf(periodOf(instant, NARROWEST));
  const { total } = await transactionsOf(db, scope, filter)
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("finished_at", "is not", null)
    .where("created_at", ">=", instant)
    .where("created_at", "<", until)
    .executeTakeFirstOrThrow();
  return count + total;
}

/** When those that have not finished were made. They are of the last days, however much was sold. */
async function listUnfinishedInstants(
  db: Db | Tx,
  scope: Scope,
  filter: KindFilter,
): Promise<number[]> {
  if (filter.status) return [];
  const { rows } = await sql<{ created_at: number }>`
    select created_at from transactions ${indexedBy("transactions_unfinished")}
    where account_id = ${scope.accountId} and environment = ${scope.environment}
      and finished_at is null and training = 0
      ${filter.type ? sql`and type = ${filter.type}` : sql``}
      ${filter.productTypes ? sql`and ${isOneOf(filter.productTypes)}` : sql``}`.execute(db);
  return rows.map((row) => row.created_at);
}

/** The transactions of a scope that fit, without training, as the beginning of a query. */
function transactionsOf(db: Db | Tx, scope: Scope, filter: KindFilter) {
  let query = db
    .selectFrom("transactions")
    .where(inScope(scope))
    // Written out, so that the indexes that leave training out fit.
    .where(sql<boolean>`training = 0`);
  if (filter.status) query = query.where("status", "=", filter.status);
  if (filter.type) query = query.where("type", "=", filter.type);
  if (filter.productTypes) query = query.where(isOneOf(filter.productTypes));
  return query;
}

/** Written out, so that the index of recharges fits, which holds two types. */
function isOneOf(types: readonly ProductType[]) {
  return sql<boolean>`product_type in (${sql.join(types.map((type) => sql.lit(type)))})`;
}

/** Instants from the first on, before the second; undefined where there is no bound. */
interface CreatedRange {
  from: number | undefined;
  until: number | undefined;
}

/**
 * The whole milliseconds that fit: a filter may name a moment between two of them, which is none of ours and which
 * PostgreSQL refuses to compare with.
 */
export function rangeOf(createdAt: CreatedAtCondition | undefined): CreatedRange {
  if (!createdAt) return { from: undefined, until: undefined };
  const { comparison, instant } = createdAt;
  const after = Math.floor(instant) + 1;
  const atOrAfter = Math.ceil(instant);
  return {
    from: { ">": after, ">=": atOrAfter, "=": atOrAfter }[comparison as string],
    until: { "<=": after, "<": atOrAfter, "=": after }[comparison as string],
  };
}
