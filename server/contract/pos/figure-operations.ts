import { Type } from "typebox";
import {
  FigureLines,
  FigureLinesFile,
  FigureLinesQuery,
  FigureMovements,
  FigureMovementsQuery,
  FigureOwed,
  FigureOwedQuery,
} from "./figure-rows.ts";
import {
  FigureBreakdown,
  FigureBreakdownQuery,
  FigureCharts,
  FigureDaysQuery,
  FigureHours,
  FigureMoney,
  FigureSeries,
  FiguresQuery,
  FirstPage,
} from "./figures.ts";
import { defineOperation } from "./operation.ts";

const OF_FIGURES = { method: "GET", access: "staff", right: "seeFigures", refusals: [] } as const;

/** What the shop sold, earned and took; for people who may see its figures. */
export const figureOperations = {
  viewFirstPage: defineOperation({ ...OF_FIGURES, path: "/figures/today", answer: FirstPage }),
  viewCharts: defineOperation({ ...OF_FIGURES, path: "/figures/charts", answer: FigureCharts }),
  listPeriods: defineOperation({
    ...OF_FIGURES,
    path: "/figures",
    query: FiguresQuery,
    answer: FigureSeries,
  }),
  listParts: defineOperation({
    ...OF_FIGURES,
    path: "/figures/parts",
    query: FigureBreakdownQuery,
    answer: FigureBreakdown,
  }),
  listHours: defineOperation({
    ...OF_FIGURES,
    path: "/figures/hours",
    query: FigureDaysQuery,
    answer: FigureHours,
  }),
  viewMoney: defineOperation({
    ...OF_FIGURES,
    path: "/figures/money",
    query: FigureDaysQuery,
    answer: FigureMoney,
  }),
  listLines: defineOperation({
    ...OF_FIGURES,
    path: "/figures/lines",
    query: FigureLinesQuery,
    answer: FigureLines,
  }),
  listMovements: defineOperation({
    ...OF_FIGURES,
    path: "/figures/movements",
    query: FigureMovementsQuery,
    answer: FigureMovements,
  }),
  listOwed: defineOperation({
    ...OF_FIGURES,
    path: "/figures/owed",
    query: FigureOwedQuery,
    answer: FigureOwed,
  }),
  /** CSV: UTF-8 with a byte order mark. */
  exportLines: defineOperation({
    ...OF_FIGURES,
    path: "/figures/lines.csv",
    query: FigureLinesFile,
    answer: Type.String(),
  }),
  exportMovements: defineOperation({
    ...OF_FIGURES,
    path: "/figures/movements.csv",
    query: FigureDaysQuery,
    answer: Type.String(),
  }),
};
