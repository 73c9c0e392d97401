import { findCashGiveBack } from "../customer-refunds/index.ts";
import type { Base, Module } from "../module.ts";
import { findCashSale } from "../sales/index.ts";
import { findMovementDeed } from "../shifts/index.ts";
import { DrawerGuard } from "./drawer-guard.ts";
import { PrintDesk } from "./print-desk.ts";
import { registerPrinterRoutes } from "./printer-routes.ts";
import { PrinterService } from "./printer-service.ts";

export function createPrintingModule(base: Base) {
  const { db } = base;
  const desk = new PrintDesk(base);
  const drawers = new DrawerGuard({
    ...base,
    cashDeeds: {
      SALE: (scope, id) => findCashSale(db, scope, id),
      GIVE_BACK: (scope, id) => findCashGiveBack(db, scope, id),
      MOVEMENT: (scope, id) => findMovementDeed(db, scope, id),
    },
  });
  const printers = new PrinterService({ ...base, desk, drawers });
  return {
    services: { printers },
    pos: (app) => registerPrinterRoutes(app, printers),
    stop: () => desk.stop(),
  } satisfies Module;
}
