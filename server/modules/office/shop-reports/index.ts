import type { ReportFiles } from "../../books/reports/index.ts";
import type { MailService } from "../../messages/mail/index.ts";
import type { Base, Module } from "../../module.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import type {
  BrandNames,
  FigureExportService,
  FigureReader,
  FigureService,
  MoneyService,
} from "../figures/index.ts";
import { COPY_JOB, SCHEDULE_JOB, ScheduleDelivery, ScheduleService } from "./schedule-service.ts";
import { type DayPdfThread, SHOP_REPORT_JOB, ShopReportService } from "./shop-report-service.ts";

export type { ScheduleService } from "./schedule-service.ts";
export { listReadyShopReportFiles, listScheduleRows } from "./shop-report-store.ts";

type ShopReportsModuleDeps = Base & {
  figures: FigureService;
  figureExports: FigureExportService;
  figureMoney: MoneyService;
  figureReader: FigureReader;
  catalog: BrandNames;
  background: DayPdfThread;
  shop: ShopService;
  mail: MailService;
  reportFiles: ReportFiles;
};

export function createShopReportsModule(deps: ShopReportsModuleDeps) {
  const delivery = new ScheduleDelivery(deps);
  const shopReports = new ShopReportService(deps, (report) => delivery.prepare(report));
  const schedules = new ScheduleService({ ...deps, reports: shopReports });
  return {
    services: { schedules },
    jobs: [
      { kind: SHOP_REPORT_JOB, run: (subject) => shopReports.make(subject), concurrency: 1 },
      { kind: SCHEDULE_JOB, run: (subject) => schedules.runDue(subject) },
      { kind: COPY_JOB, run: (subject) => delivery.copy(subject) },
    ],
    pos: async (app) =>
      (await import("./shop-report-routes.ts")).registerShopReportRoutes(app, {
        shopReports,
        schedules,
      }),
  } satisfies Module;
}
