import { shiftOperations } from "../../../contract/pos/shifts.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { MovementService } from "./movement-service.ts";
import type { SafeService } from "./safe-service.ts";
import type { ShiftService } from "./shift-service.ts";
import type { ZReportService } from "./z-report-service.ts";

interface ShiftRoutesDeps {
  shifts: ShiftService;
  movements: MovementService;
  zReports: ZReportService;
  safe: SafeService;
}

export function registerShiftRoutes(app: App, services: ShiftRoutesDeps): void {
  const { shifts, movements, zReports, safe } = services;
  handle(app, shiftOperations.viewSafe, ({ actor }) => safe.view(actor));

  handle(app, shiftOperations.deposit, ({ actor, body }) => safe.deposit(actor, body));

  handle(app, shiftOperations.open, ({ actor, body }) => shifts.open(actor, body));

  handle(app, shiftOperations.listOpen, ({ actor }) => shifts.listOpen(actor));

  handle(app, shiftOperations.getCurrent, ({ actor }) => shifts.findCurrent(actor));

  handle(app, shiftOperations.readX, ({ actor, params }) => shifts.readX(actor, params.shiftId));

  handle(app, shiftOperations.listMovements, ({ actor, params }) =>
    movements.list(actor, params.shiftId),
  );

  handle(app, shiftOperations.bookMovement, ({ actor, params, body }) =>
    movements.book(actor, params.shiftId, body),
  );

  handle(app, shiftOperations.close, ({ actor, params, body }) =>
    zReports.close(actor, params.shiftId, body),
  );

  handle(app, shiftOperations.forceClose, ({ actor, params, body }) =>
    zReports.forceClose(actor, params.shiftId, body),
  );

  handle(app, shiftOperations.listZReports, ({ actor, query }) => zReports.list(actor, query));

  handle(app, shiftOperations.getZReport, ({ actor, params }) =>
    zReports.get(actor, Number(params.zNumber)),
  );

  handle(app, shiftOperations.printZReport, ({ actor, params, query }) =>
    zReports.print(actor, Number(params.zNumber), query),
  );

  handle(app, shiftOperations.viewUnfinished, ({ actor }) => shifts.viewUnfinished(actor));
}
