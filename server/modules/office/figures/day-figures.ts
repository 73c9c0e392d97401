import { ENVIRONMENTS } from "../../../contract/common.ts";
import type { FigureBreakdown, FigureMoney } from "../../../contract/pos/figures.ts";
import type { ShiftTax } from "../../../contract/pos/taxes.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import { closeNextDay } from "../../../db/figure-sums.ts";
import { enqueueJob } from "../../../jobs/job-store.ts";
import { HOUR, MINUTE } from "../../../lib/clock.ts";
import type { Base } from "../../module.ts";
import type { Shop } from "../../shop/shop/index.ts";
import { readPeriod } from "./figure-period.ts";
import { FigureReader } from "./figure-reader.ts";
import { type BrandNames, FigureService } from "./figure-service.ts";
import { readRefundsDue } from "./first-page-service.ts";
import { MoneyService, sumTaxRates } from "./money-service.ts";

export const DAY_PARTS = [
  "FAMILY",
  "BRAND",
  "CLERK",
  "TILL",
  "CHANNEL",
  "KEY",
  "PROVIDER",
] as const;
export type DayPart = (typeof DAY_PARTS)[number];

export interface DayFigures {
  money: FigureMoney;
  parts: Record<DayPart, FigureBreakdown["list"]>;
  taxes: ShiftTax[];
  /** Refunds due now, regardless of the day. */
  refundsDue: { lines: number; amount: number };
}

interface DaySnapshot {
  snapshot: Db;
  shop: Shop;
  now: number;
  brandNames: ReadonlyMap<string, { brandName: string }>;
}

/**
 * Reads the figures of a day with the functions that the pages use. Runs on any thread.
 * @throws UnsoundSums for damaged sums, which only a thread with write access can recount
 */
export async function readDayFigures(
  { snapshot: db, shop, now, brandNames }: DaySnapshot,
  { accountId, environment }: Scope,
  day: string,
): Promise<DayFigures> {
  const scope = { accountId, environment, currency: shop.currency };
  const reader = new FigureReader({
    db,
    clock: { now: () => now },
    shop: { get: async () => shop },
  });
  const catalog: BrandNames = { getSnapshot: async () => ({ brands: brandNames }) };
  const figures = new FigureService({ db, reader, catalog });
  const days = { firstDay: day, lastDay: day };
  const listOf = async (by: DayPart) => (await figures.listParts(scope, { ...days, by })).list;
  return {
    money: await new MoneyService(reader).view(scope, days),
    parts: {
      FAMILY: await listOf("FAMILY"),
      BRAND: await listOf("BRAND"),
      CLERK: await listOf("CLERK"),
      TILL: await listOf("TILL"),
      CHANNEL: await listOf("CHANNEL"),
      KEY: await listOf("KEY"),
      PROVIDER: await listOf("PROVIDER"),
    },
    taxes: await sumTaxRates(db, scope, readPeriod(days, shop)),
    refundsDue: await readRefundsDue(db, scope),
  };
}

export const CLOSE_DAYS_JOB = "figures.close";

/** Interval between runs. Figures of a day that is not closed yet are summed from rows. */
const INTERVAL_MS = 6 * HOUR;
/** Delay of the first run, which closes many days in an imported shop. */
const FIRST_AFTER_MS = 10 * MINUTE;

/** Writes the figures of each UTC day after its last possible change (rules#figure-sums-kept). */
export class DayClosing {
  readonly #deps: Pick<Base, "accountId" | "db" | "transactor" | "clock">;

  constructor(deps: Pick<Base, "accountId" | "db" | "transactor" | "clock">) {
    this.#deps = deps;
  }

  /** Ensures that a run is due within the interval, even after a clock change. */
  async schedule(): Promise<void> {
    const { accountId, db, transactor, clock } = this.#deps;
    const now = clock.now();
    const due = await db
      .selectFrom("jobs")
      .select("run_at")
      .where("kind", "=", CLOSE_DAYS_JOB)
      .where("subject", "=", accountId)
      .executeTakeFirst();
    if (due && due.run_at <= now + INTERVAL_MS) return;
    const job = { kind: CLOSE_DAYS_JOB, subject: accountId, runAt: now + FIRST_AFTER_MS };
    await transactor.transact(accountId, (tx) => enqueueJob(tx, job));
  }

  async run(accountId: string): Promise<void> {
    const { transactor, clock } = this.#deps;
    for (const environment of ENVIRONMENTS) {
      const scope = { accountId, environment };
      // A transaction per day, so that sales do not wait for an imported year.
      while (await transactor.transact(accountId, (tx) => closeNextDay(tx, scope)));
    }
    const runAt = clock.now() + INTERVAL_MS;
    const job = { kind: CLOSE_DAYS_JOB, subject: accountId, runAt };
    await transactor.transact(accountId, (tx) => enqueueJob(tx, job));
  }
}
