import type { CatalogService } from "../../catalog/catalog/index.ts";
import type { Base, Module } from "../../module.ts";
import type { ShiftService } from "../../selling/shifts/index.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import { ChartService } from "./chart-service.ts";
import { CLOSE_DAYS_JOB, DayClosing } from "./day-closing.ts";
import { FigureExportService } from "./figure-export-service.ts";
import { FigureReader } from "./figure-reader.ts";
import { FigureRowService } from "./figure-row-service.ts";
import { FigureService } from "./figure-service.ts";
import { FirstPageService } from "./first-page-service.ts";
import { FloatService } from "./float-forecast.ts";
import { MoneyService } from "./money-service.ts";

export { DAY_PARTS, type DayFigures, type DayPart, readDayFigures } from "./day-figures.ts";
export { requireFiguresReader } from "./figure-access.ts";
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
    pos: async (app) => (await import("./figure-routes.ts")).registerFigureRoutes(app, services),
  } satisfies Module;
}
