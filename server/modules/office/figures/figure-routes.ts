import { figureOperations } from "../../../contract/pos/figures.ts";
import type { App } from "../../../http/app-types.ts";
import { sendCsv } from "../../../http/csv-file.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { ChartService } from "./chart-service.ts";
import { requireFiguresReader } from "./figure-access.ts";
import type { FigureExportService } from "./figure-export-service.ts";
import type { FigureRowService } from "./figure-row-service.ts";
import type { FigureService } from "./figure-service.ts";
import type { FirstPageService } from "./first-page-service.ts";
import type { MoneyService } from "./money-service.ts";

interface Services {
  figures: FigureService;
  figureRows: FigureRowService;
  figureExports: FigureExportService;
  firstPage: FirstPageService;
  charts: ChartService;
  money: MoneyService;
}

export function registerFigureRoutes(app: App, services: Services): void {
  const { figures, figureRows, figureExports, firstPage, charts, money } = services;
  const operations = figureOperations;
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
