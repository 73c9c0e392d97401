import { sql } from "kysely";
import type { FirstPage } from "../../../contract/pos/figures.ts";
import { dateOf, startOfDate } from "../../../contract/pos/shop-day.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import { indexedBy } from "../../../db/engine-words.ts";
import { API_PRICE } from "../../../db/sales-channel.ts";
import { inSameScope, inScope } from "../../../db/scope-filters.ts";
import { DAY, toTimestamp } from "../../../lib/clock.ts";
import type { ShiftService } from "../../selling/shifts/index.ts";
import { type FigureScope, NO_SUMS } from "./counted-rows.ts";
import { makePeriod, viewPeriod } from "./figure-period.ts";
import { type FigureReader, type FigureRequest, viewHeading } from "./figure-reader.ts";
import { sumParts, sumSpans, toFigures, toLineFigures } from "./figure-sums-store.ts";
import { readFloat } from "./float-forecast.ts";

export async function readSending(db: Db, scope: FigureScope): Promise<FirstPage["sending"]> {
  const { rows } = await sql<{ created_at: number; amount: number }>`
    select t.created_at, coalesce(l.price - l.discount, ${sql.raw(API_PRICE)}) as amount
    from transactions t ${indexedBy("transactions_unfinished")}
    left join sale_lines l on l.account_id = t.account_id and l.environment = t.environment
      and l.transaction_id = t.transaction_id
    join purchases p on p.account_id = t.account_id and p.environment = t.environment
      and p.transaction_id = t.transaction_id
    where t.account_id = ${scope.accountId} and t.environment = ${scope.environment}
      and t.finished_at is null and t.training = 0 and p.price_currency = ${scope.currency}
    order by t.created_at, t.transaction_id`.execute(db);
  const [oldest] = rows;
  return {
    lines: rows.length,
    amount: rows.reduce((sum, row) => sum + row.amount, 0),
    ...(oldest && { oldest: toTimestamp(oldest.created_at) }),
  };
}

export async function readRefundsDue(
  db: Db,
  scope: FigureScope,
): Promise<{ lines: number; amount: number; oldest?: string }> {
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

interface FirstPageServiceDeps {
  reader: FigureReader;
  shifts: ShiftService;
}

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
    const span = { from: now - 9 * DAY, until: now + 2 * DAY };
    return this.#deps.reader.read(scope, span, async (db) => ({
      ...viewHeading(asked),
      drawers,
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
  return {
    float,
    today: {
      period: viewPeriod(today, now),
      figures: toFigures(sums),
      ...(api && { api: toLineFigures(api) }),
    },
    weekAgo: { period: viewPeriod(weekAgo, now), figures: toFigures(earlier) },
    sending: await readSending(db, scope),
  };
}
