import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { Base, Module } from "../../module.ts";
import type { BackupService } from "../../safety/backups/index.ts";
import type { RequireEnvironment, ShopService } from "../../shop/shop/index.ts";
import { SafeService } from "./safe-service.ts";
import { MovementService, ShiftService } from "./shift-service.ts";
import { ZReportService } from "./z-report-service.ts";

export { addedToSafe, type CashFlow, sumCashFlow } from "./safe-service.ts";
export { ShiftService } from "./shift-service.ts";
export {
  findMovementAuthor,
  listOpenShifts,
  readZReportsClosed,
  requireOpenShift,
} from "./shift-store.ts";
export { viewPaidLines } from "./unfinished-lines.ts";

type ShiftsModuleDeps = Base & {
  backups: BackupService;
  shop: ShopService;
  requireEnvironment: RequireEnvironment;
};

export function createShiftsModule(deps: ShiftsModuleDeps) {
  const shifts = new ShiftService(deps);
  const movements = new MovementService(deps);
  const safe = new SafeService(deps);
  const zReports = new ZReportService(deps);
  return {
    services: { shifts, movements, zReports },
    pos: (app) => registerShiftRoutes(app, { shifts, movements, zReports, safe }),
  } satisfies Module;
}

interface ShiftRoutesDeps {
  shifts: ShiftService;
  movements: MovementService;
  zReports: ZReportService;
  safe: SafeService;
}

async function registerShiftRoutes(app: App, services: ShiftRoutesDeps): Promise<void> {
  const { shiftOperations } = await import("../../../contract/pos/shifts.ts");
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

  handle(app, shiftOperations.printZReport, ({ actor, params, query }) =>
    zReports.print(actor, Number(params.zNumber), query),
  );

  handle(app, shiftOperations.viewUnfinished, ({ actor }) => shifts.viewUnfinished(actor));
}
