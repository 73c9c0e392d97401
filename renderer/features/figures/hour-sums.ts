import type { FigureHours } from "../../../server/contract/pos/figures.ts";

interface HourSums {
  readonly hour: number;
  readonly sold: number;
  readonly earned: number;
  readonly sales: number;
}

/** Omits hours without sales. */
export function sumByHour(rows: FigureHours["list"]): HourSums[] {
  return [...Map.groupBy(rows, ({ hour }) => hour)]
    .map(([hour, of]) => ({
      hour,
      sold: of.reduce((sum, { figures }) => sum + figures.sold, 0),
      earned: of.reduce((sum, { figures }) => sum + figures.earned, 0),
      sales: of.reduce((sum, { figures }) => sum + figures.sales, 0),
    }))
    .sort((a, b) => a.hour - b.hour);
}
