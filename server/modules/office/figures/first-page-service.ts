import type { FirstPage } from "../../../contract/pos/figures.ts";
import { dateOf, startOfDate } from "../../../contract/pos/shop-day.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import { DAY, toTimestamp } from "../../../lib/clock.ts";
import type { CatalogService } from "../../catalog/catalog/index.ts";
import { listPausedBrands } from "../../purchases/purchases/index.ts";
import type { ShiftService } from "../../selling/shifts/index.ts";
import { toFigures } from "./figure-definitions.ts";
import { periodOf, viewPeriod } from "./figure-period.ts";
import { type Asked, type FigureReader, headingOf } from "./figure-reader.ts";
import { NO_SUMS, sumSpans } from "./figure-sums-store.ts";
import { readDifferences, readRefundsDue, readSending, readSuccess } from "./first-page-store.ts";
import { readFloat } from "./float-forecast.ts";
import { readTieOut } from "./tie-out-store.ts";

interface FirstPageServiceDeps {
  reader: FigureReader;
  shifts: ShiftService;
  catalog: CatalogService;
}

/** How long drawers' differences are added up. */
const DIFFERENCES_MS = 30 * DAY;

/** The first page: can we sell, is the money there, did we earn, what needs the owner. */
export class FirstPageService {
  readonly #deps: FirstPageServiceDeps;

  constructor(deps: FirstPageServiceDeps) {
    this.#deps = deps;
  }

  /** @throws Problem NOT_SET_UP */
  async view(reader: Scope): Promise<FirstPage> {
    const asked = await this.#deps.reader.ask(reader);
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
      ...headingOf(asked),
      drawers,
      blockedOffers,
      ...(await readPage(db, asked)),
    }));
  }
}

async function readPage(db: Db, { scope, shop, now }: Asked) {
  const date = dateOf(now, shop);
  const today = periodOf(date, date + 1, shop);
  const whole = periodOf(date - 7, date - 6, shop);
  const sameTime = startOfDate(date - 7, shop) + now - today.from;
  const weekAgo = { ...whole, until: Math.min(whole.until, sameTime) };
  const [sums = NO_SUMS, earlier = NO_SUMS] = await sumSpans(db, scope, [today, weekAgo]);
  const float = await readFloat(db, scope, now);
  const refundsDue = await readRefundsDue(db, scope);
  const paused = await listPausedBrands(db, scope);
  const tieOut = await readTieOut(db, scope, today, sums);
  return {
    float,
    today: { period: viewPeriod(today, now), figures: toFigures(sums) },
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
