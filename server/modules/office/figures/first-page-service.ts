import { sql } from "kysely";
import type { FirstPage } from "../../../contract/pos/figures.ts";
import { dateOf, startOfDate } from "../../../contract/pos/shop-day.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import { indexedBy, jsonField } from "../../../db/engine-words.ts";
import { API_PRICE } from "../../../db/sales-channel.ts";
import { inSameScope, inScope } from "../../../db/scope-filters.ts";
import { DAY, SECOND, toTimestamp } from "../../../lib/clock.ts";
import type { CatalogService } from "../../catalog/catalog/index.ts";
import { listPausedBrands } from "../../purchases/purchases/index.ts";
import type { ShiftService } from "../../selling/shifts/index.ts";
import { staffNames } from "../../shop/staff/index.ts";
import { makePeriod, viewPeriod } from "./figure-period.ts";
import { type FigureReader, type FigureRequest, viewHeading } from "./figure-reader.ts";
import {
  type FigureScope,
  MIN_FOR_PERCENT,
  NO_SUMS,
  readTieOut,
  type Span,
  sumParts,
  sumSpans,
  toFigures,
  toLineFigures,
  toPercent,
} from "./figure-sums-store.ts";
import { readFloat } from "./float-forecast.ts";

/** A brand is slow if its lines are unfinished for longer than this. */
const SLOW_AFTER_MS = 30 * SECOND;

export async function readSending(
  db: Db,
  scope: FigureScope,
  now: number,
): Promise<FirstPage["sending"]> {
  const { rows } = await sql<{ created_at: number; amount: number; brand: string }>`
    select t.created_at, coalesce(l.price - l.discount, ${sql.raw(API_PRICE)}) as amount,
      p.brand_name as brand
    from transactions t ${indexedBy("transactions_unfinished")}
    left join sale_lines l on l.account_id = t.account_id and l.environment = t.environment
      and l.transaction_id = t.transaction_id
    join purchases p on p.account_id = t.account_id and p.environment = t.environment
      and p.transaction_id = t.transaction_id
    where t.account_id = ${scope.accountId} and t.environment = ${scope.environment}
      and t.finished_at is null and t.training = 0 and p.price_currency = ${scope.currency}
    order by t.created_at, t.transaction_id`.execute(db);
  const slow = rows.filter((row) => row.created_at + SLOW_AFTER_MS < now);
  const [oldest] = rows;
  return {
    lines: rows.length,
    amount: rows.reduce((sum, row) => sum + row.amount, 0),
    ...(oldest && { oldest: toTimestamp(oldest.created_at) }),
    slowBrands: [...new Set(slow.map((row) => row.brand))].sort(),
  };
}

export async function readRefundsDue(db: Db, scope: FigureScope): Promise<FirstPage["refundsDue"]> {
  const row = await db
    .selectFrom("sale_lines as l")
    .innerJoin("sales as s", inSameScope("s", "l", "sale_id"))
    .select([
      sql<number>`count(*)`.as("lines"),
      sql<number>`coalesce(sum(l.price - l.discount), 0)`.as("amount"),
      sql<number | null>`min(l.returned_at)`.as("oldest"),
    ])
    .where(inScope(scope, "l"))
    .where("l.owed", "=", 1)
    .where("l.returned_at", "is not", null)
    .where("s.currency", "=", scope.currency)
    .executeTakeFirstOrThrow();
  const { lines, amount, oldest } = row;
  return { lines, amount, ...(oldest !== null && { oldest: toTimestamp(oldest) }) };
}

export async function readSuccess(
  db: Db,
  { accountId, environment }: Scope,
  { from, until }: Span,
): Promise<FirstPage["success"]> {
  const { rows } = await sql<{ delivered: number; failed: number }>`
    select count(*) filter (where t.status = 'DONE') as delivered,
      count(*) filter (where t.status = 'FAILED') as failed
    from transactions t ${indexedBy("transactions_by_finish")}
    join purchases p on p.account_id = t.account_id and p.environment = t.environment
      and p.transaction_id = t.transaction_id
    where t.account_id = ${accountId} and t.environment = ${environment}
      and t.finished_at >= ${from} and t.finished_at < ${until} and t.training = 0`.execute(db);
  const { delivered = 0, failed = 0 } = rows[0] ?? {};
  const all = delivered + failed;
  return {
    delivered,
    notDelivered: failed,
    ...(all >= MIN_FOR_PERCENT && { pct: toPercent(delivered, all) }),
  };
}

/**
 * Returns the drawer differences since an instant: the last difference, and the sum for each
 * person.
 */
export async function readDifferences(
  db: Db,
  scope: Scope,
  since: number,
): Promise<Pick<FirstPage, "lastDifference" | "differences">> {
  const rows = await db
    .selectFrom("z_reports")
    .select([
      "z_number",
      "staff_id",
      "closed_at",
      sql<number | null>`cast(${jsonField("report_json", "variance")} as bigint)`.as("difference"),
    ])
    .where(inScope(scope))
    .where("closed_at", ">=", since)
    .orderBy("closed_at", "desc")
    .orderBy("z_number", "desc")
    .execute();
  const counted = rows.flatMap(({ difference, ...row }) =>
    difference === null ? [] : [{ ...row, difference }],
  );
  const names = await staffNames(
    db,
    scope.accountId,
    counted.map((row) => row.staff_id),
  );
  const [last] = counted;
  return {
    ...(last && {
      lastDifference: {
        zNumber: last.z_number,
        name: names.get(last.staff_id) ?? "",
        closedAt: toTimestamp(last.closed_at),
        difference: last.difference,
      },
    }),
    differences: [...Map.groupBy(counted, (row) => row.staff_id)].map(([staffId, of]) => ({
      staffId,
      name: names.get(staffId) ?? "",
      shifts: of.length,
      difference: of.reduce((sum, row) => sum + row.difference, 0),
    })),
  };
}

interface FirstPageServiceDeps {
  reader: FigureReader;
  shifts: ShiftService;
  catalog: CatalogService;
}

const DIFFERENCES_MS = 30 * DAY;

export class FirstPageService {
  readonly #deps: FirstPageServiceDeps;

  constructor(deps: FirstPageServiceDeps) {
    this.#deps = deps;
  }

  /** @throws Problem NOT_SET_UP */
  async view(reader: Scope): Promise<FirstPage> {
    const asked = await this.#deps.reader.readContext(reader);
    const { scope, now } = asked;
    const { list } = await this.#deps.shifts.listOpen({ ...scope, training: false });
    const drawers = list.map(({ shift, expectedCash }) => ({
      staffId: shift.staff.staffId,
      name: shift.staff.name,
      expectedCash,
    }));
    const { blocked: blockedOffers } = await this.#deps.catalog.getSnapshot(scope);
    const span = { from: now - 9 * DAY, until: now + 2 * DAY };
    return this.#deps.reader.read(scope, span, async (db) => ({
      ...viewHeading(asked),
      drawers,
      blockedOffers,
      ...(await readPage(db, asked)),
    }));
  }
}

async function readPage(db: Db, { scope, shop, now }: FigureRequest) {
  const date = dateOf(now, shop);
  const today = makePeriod(date, date + 1, shop);
  const whole = makePeriod(date - 7, date - 6, shop);
  const sameTime = startOfDate(date - 7, shop) + now - today.from;
  const weekAgo = { ...whole, until: Math.min(whole.until, sameTime) };
  const [sums = NO_SUMS, earlier = NO_SUMS] = await sumSpans(db, scope, [today, weekAgo]);
  const api = (await sumParts(db, scope, today, "CHANNEL")).get("API");
  const float = await readFloat(db, scope, now);
  const refundsDue = await readRefundsDue(db, scope);
  const paused = await listPausedBrands(db, scope);
  const tieOut = await readTieOut(db, scope, today, sums);
  return {
    float,
    today: {
      period: viewPeriod(today, now),
      figures: toFigures(sums),
      ...(api && { api: toLineFigures(api) }),
    },
    weekAgo: { period: viewPeriod(weekAgo, now), figures: toFigures(earlier) },
    ...(await readDifferences(db, scope, now - DIFFERENCES_MS)),
    sending: await readSending(db, scope, now),
    refundsDue,
    success: await readSuccess(db, scope, today),
    pausedBrands: paused.map(({ brand, pausedSince, pausedByHand }) => ({
      brand,
      since: toTimestamp(pausedSince),
      byHand: pausedByHand,
    })),
    tieOut,
    rate: { rate: shop.rate, setAt: toTimestamp(shop.rateSetAt) },
  };
}
