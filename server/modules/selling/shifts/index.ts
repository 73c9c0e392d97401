import type { Base, Module } from "../../module.ts";
import type { BackupService } from "../../safety/backups/index.ts";
import type { RequireEnvironment, ShopService } from "../../shop/shop/index.ts";
import { MovementService } from "./movement-service.ts";
import { SafeService } from "./safe-service.ts";
import { ShiftService } from "./shift-service.ts";
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
    pos: async (app) =>
      (await import("./shift-routes.ts")).registerShiftRoutes(app, {
        shifts,
        movements,
        zReports,
        safe,
      }),
  } satisfies Module;
}
