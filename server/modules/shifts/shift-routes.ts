import { shiftOperations } from "../../contract/pos/shift-operations.ts";
import type { App } from "../../http/app-types.ts";
import { handle } from "../../http/pos-operations.ts";
import type { ShiftService } from "./shift-service.ts";
import type { ZReportService } from "./z-report-service.ts";

interface Deps {
  shifts: ShiftService;
  zReports: ZReportService;
}

/** Shifts, their cash and their reports. */
export function registerShiftRoutes(app: App, { shifts, zReports }: Deps): void {
  handle(app, shiftOperations.open, ({ cashier, body }) => shifts.open(cashier, body));

  handle(app, shiftOperations.listOpen, ({ cashier }) => shifts.listOpen(cashier));

  handle(app, shiftOperations.getCurrent, ({ cashier }) => shifts.findCurrent(cashier));

  handle(app, shiftOperations.readX, ({ cashier, params }) =>
    shifts.readX(cashier, params.shiftId),
  );

  handle(app, shiftOperations.listMovements, ({ cashier, params }) =>
    shifts.listMovements(cashier, params.shiftId),
  );

  handle(app, shiftOperations.bookMovement, ({ cashier, params, body }) =>
    shifts.move(cashier, params.shiftId, body),
  );

  handle(app, shiftOperations.close, ({ cashier, params, body }) =>
    zReports.close(cashier, params.shiftId, body),
  );

  handle(app, shiftOperations.forceClose, ({ cashier, params, body }) =>
    zReports.forceClose(cashier, params.shiftId, body),
  );

  handle(app, shiftOperations.listZReports, ({ cashier, query }) => zReports.list(cashier, query));

  handle(app, shiftOperations.getZReport, ({ cashier, params }) =>
    zReports.get(cashier, Number(params.zNumber)),
  );

  handle(app, shiftOperations.printZReport, ({ cashier, params, query }) =>
    zReports.print(cashier, Number(params.zNumber), query),
  );

  handle(app, shiftOperations.viewUnfinished, ({ cashier }) => shifts.viewUnfinished(cashier));
}
