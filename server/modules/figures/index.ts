export { requireFiguresReader } from "./figure-access.ts";
export { type Column, formatCsv, PROGRAM_CSV, SPREADSHEET_CSV } from "./figure-csv.ts";
export type { FigureExportService } from "./figure-export-service.ts";
export { readPeriod } from "./figure-period.ts";
export type { Days, FigureService } from "./figure-service.ts";
export type { FloatForecast } from "./float-forecast.ts";
export { FloatService } from "./float-view.ts";
export { createFiguresModule } from "./module.ts";
export type { MoneyService } from "./money-service.ts";
