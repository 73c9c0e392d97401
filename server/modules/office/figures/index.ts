import { ENVIRONMENTS } from "../../../contract/common.ts";
import type { FigureBreakdown, FigureMoney } from "../../../contract/pos/figures.ts";
import type { ShiftTax } from "../../../contract/pos/taxes.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import { closeNextDay } from "../../../db/figure-sums.ts";
import type { App, SignedInActor } from "../../../http/app-types.ts";
import { sendCsv } from "../../../http/csv-file.ts";
import { handle } from "../../../http/pos-operations.ts";
import { enqueueJob } from "../../../jobs/job-store.ts";
import { HOUR, MINUTE } from "../../../lib/clock.ts";
import type { CatalogService } from "../../catalog/catalog/index.ts";
import type { Base, Module } from "../../module.ts";
import type { ShiftService } from "../../selling/shifts/index.ts";
import type { Shop, ShopService } from "../../shop/shop/index.ts";
import { FigureExportService } from "./figure-export-service.ts";
import { readPeriod } from "./figure-period.ts";
import { FigureReader } from "./figure-reader.ts";
import { FigureRowService } from "./figure-row-service.ts";
import { type BrandNames, ChartService, FigureService } from "./figure-service.ts";
import { FirstPageService, readRefundsDue } from "./first-page-service.ts";
import { FloatService } from "./float-forecast.ts";
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

const CLOSE_DAYS_JOB = "figures.close";

/** Interval between runs. Figures of a day that is not closed yet are summed from rows. */
const INTERVAL_MS = 6 * HOUR;
/** Delay of the first run, which closes many days in an imported shop. */
const FIRST_AFTER_MS = 10 * MINUTE;

/** Writes the figures of each UTC day after its last possible change (rules#figure-sums-kept). */
class DayClosing {
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

export {
  type Column,
  DIALECTS,
  type FigureExportService,
  formatCsv,
} from "./figure-export-service.ts";
export { readPeriod } from "./figure-period.ts";
export type { FigureReader } from "./figure-reader.ts";
export type { BrandNames, Days, FigureService } from "./figure-service.ts";
export { readRefundsDue } from "./first-page-service.ts";
export { type FloatForecast, FloatService } from "./float-forecast.ts";
export type { MoneyService } from "./money-service.ts";

type FiguresModuleDeps = Base & {
  catalog: CatalogService;
  shop: ShopService;
  shifts: ShiftService;
};

export function createFiguresModule(deps: FiguresModuleDeps) {
  const reader = new FigureReader({ ...deps, recounting: deps });
  const closing = new DayClosing(deps);
  const services = {
    figures: new FigureService({ ...deps, reader }),
    figureRows: new FigureRowService({ ...deps, reader }),
    figureExports: new FigureExportService({ ...deps, reader }),
    firstPage: new FirstPageService({ ...deps, reader }),
    charts: new ChartService({ ...deps, reader }),
    money: new MoneyService(reader),
  };
  return {
    services: {
      floats: new FloatService(reader),
      figures: services.figures,
      figureExports: services.figureExports,
      figureMoney: services.money,
      figureReader: reader,
    },
    jobs: [{ kind: CLOSE_DAYS_JOB, run: (accountId) => closing.run(accountId) }],
    recover: () => closing.schedule(),
    pos: (app) => registerFigureRoutes(app, services),
  } satisfies Module;
}

interface Services {
  figures: FigureService;
  figureRows: FigureRowService;
  figureExports: FigureExportService;
  firstPage: FirstPageService;
  charts: ChartService;
  money: MoneyService;
}

async function registerFigureRoutes(app: App, services: Services): Promise<void> {
  const { figureOperations: operations } = await import("../../../contract/pos/figures.ts");
  const { figures, figureRows, figureExports, firstPage, charts, money } = services;
  handle(app, operations.viewFirstPage, ({ actor }) => firstPage.view(requireFiguresReader(actor)));
  handle(app, operations.viewCharts, ({ actor }) => charts.view(requireFiguresReader(actor)));
  handle(app, operations.listPeriods, ({ actor, query }) =>
    figures.listPeriods(requireFiguresReader(actor), query),
  );
  handle(app, operations.listParts, ({ actor, query }) =>
    figures.listParts(requireFiguresReader(actor), query),
  );
  handle(app, operations.listHours, ({ actor, query }) =>
    figures.listHours(requireFiguresReader(actor), query),
  );
  handle(app, operations.viewMoney, ({ actor, query }) =>
    money.view(requireFiguresReader(actor), query),
  );
  handle(app, operations.listLines, ({ actor, query }) =>
    figureRows.listLines(requireFiguresReader(actor), query),
  );
  handle(app, operations.listMovements, ({ actor, query }) =>
    figureRows.listMovements(requireFiguresReader(actor), query),
  );
  handle(app, operations.listOwed, ({ actor, query }) =>
    figureRows.listOwed(requireFiguresReader(actor), query),
  );
  handle(app, operations.exportLines, async ({ actor, query, reply }) =>
    sendCsv(
      reply,
      `sold-${query.firstDay}-${query.lastDay}`,
      figureExports.exportLines(requireFiguresReader(actor), query),
    ),
  );
  handle(app, operations.exportMovements, async ({ actor, query, reply }) =>
    sendCsv(
      reply,
      `taken-${query.firstDay}-${query.lastDay}`,
      figureExports.exportMovements(requireFiguresReader(actor), query),
    ),
  );
}

/** @throws Problem FORBIDDEN in training, which has no figures (rules#training-apart) */
export function requireFiguresReader(actor: SignedInActor): SignedInActor {
  if (!actor.training) return actor;
  throw new Problem("FORBIDDEN", "Training has no figures. End the training first.", {
    training: "must be over",
  });
}
