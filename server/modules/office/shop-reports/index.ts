import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { ReportFiles } from "../../books/reports/index.ts";
import type { MailService } from "../../messages/mail/index.ts";
import type { Base, Module } from "../../module.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import {
  type BrandNames,
  type FigureExportService,
  type FigureReader,
  type FigureService,
  type MoneyService,
  requireFiguresReader,
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
    pos: (app) => registerShopReportRoutes(app, { shopReports, schedules }),
  } satisfies Module;
}

interface Services {
  shopReports: ShopReportService;
  schedules: ScheduleService;
}

async function registerShopReportRoutes(
  app: App,
  { shopReports, schedules }: Services,
): Promise<void> {
  const { shopReportOperations: operations } = await import(
    "../../../contract/pos/shop-reports.ts"
  );
  handle(app, operations.list, ({ actor, query }) => {
    const { _limit: limit, _offset: offset } = query;
    return shopReports.list(requireFiguresReader(actor), { limit, offset });
  });
  handle(app, operations.request, ({ actor, body }) =>
    shopReports.request(requireFiguresReader(actor), body),
  );
  handle(app, operations.download, async ({ actor, params, reply }) => {
    const file = await shopReports.openFile(requireFiguresReader(actor), params.reportId);
    reply.type(file.type).header("content-disposition", toDisposition(file.name));
    return reply.send(file.content);
  });
  handle(app, operations.getAccounting, ({ actor }) => shopReports.getAccounting(actor.accountId));
  handle(app, operations.setAccounting, ({ actor, body }) =>
    shopReports.setAccounting(actor, body),
  );
  handle(app, operations.listSchedules, async ({ actor }) => ({
    list: await schedules.list(requireFiguresReader(actor)),
  }));
  handle(app, operations.saveSchedule, ({ actor, params, body }) =>
    schedules.save(requireFiguresReader(actor), params.scheduleId, body),
  );
  handle(app, operations.removeSchedule, async ({ actor, params }) => {
    await schedules.remove(requireFiguresReader(actor), params.scheduleId);
    return {};
  });
  handle(app, operations.runSchedule, ({ actor, params }) =>
    schedules.runNow(requireFiguresReader(actor), params.scheduleId),
  );
}

/** Encodes a file name in any script, with an ASCII fallback (RFC 6266). */
function toDisposition(name: string): string {
  const ascii = name.normalize("NFKD").replaceAll(/[^\w.-]/g, "");
  const plain = `attachment; filename="${ascii}"`;
  return ascii === name ? plain : `${plain}; filename*=UTF-8''${encodeURIComponent(name)}`;
}
