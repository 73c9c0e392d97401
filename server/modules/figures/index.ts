export { requireFiguresReader } from "./figure-access.ts";
export { type Column, formatCsv } from "./figure-csv.ts";
export { readPeriod } from "./figure-period.ts";
export type { FloatForecast } from "./float-forecast.ts";
export { FloatService } from "./float-view.ts";
export { createFiguresModule } from "./module.ts";
