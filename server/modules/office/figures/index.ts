import { Problem } from "../../../contract/problem.ts";
import type { App, SignedInActor } from "../../../http/app-types.ts";
import { sendCsv } from "../../../http/csv-file.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { CatalogService } from "../../catalog/catalog/index.ts";
import type { Base, Module } from "../../module.ts";
import type { ShiftService } from "../../selling/shifts/index.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import { ChartService } from "./chart-service.ts";
import { CLOSE_DAYS_JOB, DayClosing } from "./day-figures.ts";
import { FigureExportService } from "./figure-export-service.ts";
import { FigureReader } from "./figure-reader.ts";
import { FigureRowService } from "./figure-row-service.ts";
import { FigureService } from "./figure-service.ts";
import { FirstPageService } from "./first-page-service.ts";
import { FloatService } from "./float-forecast.ts";
import { MoneyService } from "./money-service.ts";

export { DAY_PARTS, type DayFigures, type DayPart, readDayFigures } from "./day-figures.ts";
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
