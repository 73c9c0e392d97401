import { shopReportOperations } from "../../../contract/pos/shop-reports.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import { requireFiguresReader } from "../figures/index.ts";
import type { ScheduleService } from "./schedule-service.ts";
import type { ShopReportService } from "./shop-report-service.ts";

interface Services {
  shopReports: ShopReportService;
  schedules: ScheduleService;
}

export function registerShopReportRoutes(app: App, { shopReports, schedules }: Services): void {
  const operations = shopReportOperations;
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
