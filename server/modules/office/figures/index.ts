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
export { createFiguresModule } from "./module.ts";
export type { MoneyService } from "./money-service.ts";
